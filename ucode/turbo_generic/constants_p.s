; Derives the constants of the arithmetic mod p.
.routine constants_p
.uniform ; the job is exclusive: all threads have its operands
.in p
.out pinv one_p r2p
.clobber base k sx
    mov  k, p
    call inverse_mod_r
    mov  pinv, base
    isub one_p, zero, p         ; R - p < p
    mov  r2p, one_p
    setc c0, PBITS-1
.double:
    add  r2p, r2p, r2p
    loop c0, .double
    ret
