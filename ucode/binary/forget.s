; Ends of jobs with secrets. The assembler checks that nothing is left.
; refuse uses these two, which wipe all that a job may have used: integers modulo n (selects modulus 1), ...
.routine forget_integers
.clobber k sx base exponent unit power power2 power3 power5 power7 spare share mask factor nonce part part2 high low
.reg r53 = 53
.reg r54 = 54
.reg r55 = 55
    mod  1
    mov  k, zero
    mov  sx, zero
    mov  base, zero
    mov  power, zero
    mov  power2, zero
    mov  power3, zero
    mov  power5, zero
    mov  power7, zero
    mov  spare, zero
    mov  share, zero
    mov  mask, zero
    mov  factor, zero
    mov  nonce, zero
    mov  part, zero
    mov  part2, zero
    movl high, zero
    movl low, zero
    mov  r53, zero
    mov  r54, zero
    mov  r55, zero
    ret
; ... and elements of GF(2^m) (selects modulus 0).
.routine forget_elements
.out inv t1 t2 t3 xs zs xd zd old
    mod  0
    mov  inv, zero_p
    mov  t1, zero_p
    mov  t2, zero_p
    mov  t3, zero_p
    mov  r53, zero_p
    mov  r54, zero_p
    mov  r55, zero_p
    mov  xs, zero_p
    mov  zs, zero_p
    mov  xd, zero_p
    mov  zd, zero_p
    mov  old, zero_p
    mov  old+1, zero_p
    mov  old+2, zero_p
    mov  old+3, zero_p
    ret
; What `refuse` wipes beside slots.
.macro forget_units
    mod  1
    movl k, zero
    mov  qx, zero
    mov  qy, zero
    call forget_integers
    call forget_elements
    forget_scalar
    mov  qx, zero_p
    mov  qy, zero_p
    wipe BLIND
    st   0, zero_p              ; also wipes the register by which elements enter and leave
.endmacro
