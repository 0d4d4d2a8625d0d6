; Inverse modulo n by Fermat: base = M(x) to M(1/x), 0 for 0. invert_n_beside: c2 as modexp says, which it may leave before the end.
.routine fermat_inverse_n
.in base
.out base power power2 power4 power5 power6 power7
.clobber exponent unit
.reg two
    setc c2, 0
invert_n_beside:
    mod  1
    .assume base modn ; by contract
    iadd two, one, one
    isub exponent, n, two
    mov  unit, one_n
    setc c0, NBITS-1
    setc c1, NBITS-3
    jmp  modexp
