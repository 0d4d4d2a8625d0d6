; Wipes what the Frobenius map leaves in the unit for GF(2^m), but for zs; Z = zs is 0.
.routine forget_frobenius
.out t2 old zs
.clobber same_x same_g same_h other_x other_g other_h xs xd square square_y jx jy
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
    mov  t2, zero_p
    mov  old, zero_p
    mov  old+1, zero_p
    mov  old+2, zero_p
    mov  old+3, zero_p
    mov  r22, zero_p
    mov  r23, zero_p
    mov  r24, zero_p
    mov  r25, zero_p
    mov  r27, zero_p
    mov  r42, zero_p
    mov  r43, zero_p
    mov  r53, zero_p
    mov  r54, zero_p
    mov  r55, zero_p
    mov  zs, zs
    ret
