; Inversion by Fermat's theorem: x^-1 = x^(m-2) for a prime m; the inverse of 0 is 0.
; in    base = M(x)
; out   base = M(x^-1); the modulus, p (or n), is selected
; cost  bits(m) S + (bits(m) / 4 + 14) M
.routine fermat_inverse
.in base
.out base
.clobber exponent unit
.reg two
    mod  0
    .assume base modp ; by contract
    iadd two, one, one
    isub exponent, p, two
    mov  unit, one_p
    setc c0, PBITS-1
    jmp  modexp
