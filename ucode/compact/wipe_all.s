; Wipes the mailbox, the key and all registers except the curve constants, which are public and stay.
; The job port gives this job the largest element size, so that every digit in use is overwritten.
.routine wipe_all
.out zero
.clobber px py k qx qy base exponent unit jx jy jz sx sy share mask factor nonce
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
    movl qx, zero
    movl qy, zero
    jmp  forget_job
