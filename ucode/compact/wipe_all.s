; Wipes the mailbox, the key and all registers except the curve constants, which are public and stay.
; The job port gives this job the largest element size, so that every digit in use is overwritten.
.routine wipe_all
.out zero
.clobber px py k qx qy base exponent unit jx jy jz sx sy share mask factor nonce
.reg r48 = 48
.reg r49 = 49
.reg r50 = 50
.reg r51 = 51
.reg r52 = 52
.reg r53 = 53
.reg r54 = 54
.reg r55 = 55
.reg r56 = 56
.reg r57 = 57
.reg r58 = 58
.reg r59 = 59
.reg r60 = 60
.reg r61 = 61
.reg r62 = 62
.reg r63 = 63
    mod  0                      ; waits until the field unit has finished what was running
    keyv 0
    wipe 0
    wipe 1
    wipe 2
    wipe 3
    wipe 4
    wipe 5
    wipe 6
    wipe 7
    wipe 8
    wipe 9
    wipe 10
    wipe 11
    wipe 12
    wipe 13
    wipe 14
    wipe 15
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    movl px, zero
    movl py, zero
    movl k, zero
    movl qx, zero
    movl qy, zero
    movl base, zero
    movl exponent, zero
    movl unit, zero
    movl jx, zero
    movl jy, zero
    movl jz, zero
    movl sx, zero
    movl sy, zero
    movl nonce, zero
    movl share, zero
    movl mask, zero
    movl factor, zero
    movl r48, zero
    movl r49, zero
    movl r50, zero
    movl r51, zero
    movl r52, zero
    movl r53, zero
    movl r54, zero
    movl r55, zero
    movl r56, zero
    movl r57, zero
    movl r58, zero
    movl r59, zero
    movl r60, zero
    movl r61, zero
    movl r62, zero
    movl r63, zero
    ret
