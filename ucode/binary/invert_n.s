; Inverse modulo n by Fermat's theorem: base = x becomes M(1/x), and the inverse of 0 is 0. Modulus n selected.
; invert_n_in_background is the same after begin_inverse, with c2 as modexp defines it: it may return before the end.
.macro begin_inverse x
    .reg two
    iadd two, one, one
    isub exponent, n, two
    st   EXPONENT, exponent
    mul  base, x, r2n
.endmacro
.routine fermat_inverse_n
.in base
.out base power power2 power3 power5 power7
.clobber exponent
    begin_inverse base
    setc c2, 0
invert_n_in_background:
    setc c0, NBITS-1
    setc c1, NBITS-3
    jmp  modexp
