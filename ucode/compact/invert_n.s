; Inverse modulo n; otherwise as fermat_inverse modulo p.
.routine fermat_inverse_n
.in base
.out base
.clobber exponent unit
.reg two
    mod  1
    .assume base modn ; by contract
    iadd two, one, one
    isub exponent, n, two
    mov  unit, one_n
    setc c0, NBITS-1
    jmp  modexp
