; Wipes the mailbox, the key and all registers of both units except the curve constants, which are public and stay.
; The job port gives this job the largest element size, so that every digit in use is overwritten.
.macro clear_registers copy, nothing
    copy k, nothing
    copy base, nothing
    copy exponent, nothing
    copy unit, nothing
    copy sx, nothing
    copy power, nothing
    copy power2, nothing
    copy power3, nothing
    copy power5, nothing
    copy power7, nothing
    copy spare, nothing
    copy r22, nothing
    copy r23, nothing
    copy r24, nothing
    copy r25, nothing
    copy r26, nothing
    copy r27, nothing
    copy r28, nothing
    copy r29, nothing
    copy r30, nothing
    copy py, nothing
    copy jx, nothing
    copy jy, nothing
    copy inv, nothing
    copy qx, nothing
    copy qy, nothing
    copy r42, nothing
    copy r43, nothing
    copy added, nothing
    copy square_y, nothing
    copy square, nothing
    copy scalar, nothing
    copy px, nothing
    copy t1, nothing
    copy t2, nothing
    copy t3, nothing
    copy r53, nothing
    copy r54, nothing
    copy r55, nothing
    copy xs, nothing
    copy zs, nothing
    copy xd, nothing
    copy zd, nothing
    copy old, nothing
    copy old+1, nothing
    copy old+2, nothing
    copy old+3, nothing
.endmacro
.routine wipe_all
.out zero zero_p h_inv
.clobber scalar added square square_y k base exponent unit sx power power2 power3 power5 power7 spare py jx jy inv qx qy px t1 t2 t3 xs zs xd zd old
.reg r22 = 22
.reg r23 = 23
.reg r24 = 24
.reg r25 = 25
.reg r26 = 26
.reg r27 = 27
.reg r28 = 28
.reg r29 = 29
.reg r30 = 30
.reg r42 = 42
.reg r43 = 43
.reg r53 = 53
.reg r54 = 54
.reg r55 = 55
    mod  1                      ; waits until the field units have finished what was running
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
    wipe 11
    wipe 12
    wipe 13
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    clear_registers movl, zero
    mod  0
    ld   zero_p, PUBLIC
    .assume zero_p modp ; 0
    ld   scalar, PUBLIC
    .assume scalar modp ; 0
    clear_registers mov, zero_p
    mov  h_inv, zero_p          ; the register of this number here; the integer is a constant
    ret
