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
    copy r27, nothing
    copy inv, nothing
    copy qx, nothing
    copy qy, nothing
    copy r42, nothing
    copy r43, nothing
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
.out n zero zero_p h_inv cofactor_bits cofactor_end
.clobber share mask factor nonce part part2 high low scalar added square square_y k base exponent unit sx power power2 power3 power5 power7 spare py jx jy inv qx qy px t1 t2 t3 xs zs xd zd old
.reg r22 = 22
.reg r23 = 23
.reg r24 = 24
.reg r25 = 25
.reg r27 = 27
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
    wipe 10
    wipe 11
    wipe 12
    wipe 13
    wipe 15
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    clear_registers movl, zero
    .assume order int ; maybe there is no curve
    mov  n, order               ; the job that was ended may have had another modulus
    mod  0
    ld   zero_p, PUBLIC
    .assume zero_p modp ; 0
    ld   scalar, PUBLIC
    .assume scalar modp ; 0
    clear_registers mov, zero_p
    ; The integers in the registers of these numbers are constants.
    mov  cofactor_bits, zero_p
    mov  cofactor_end, zero_p
    mov  h_inv, zero_p
    mov  py, zero_p
    mov  jx, zero_p
    mov  jy, zero_p
    mov  added, zero_p
    ret
