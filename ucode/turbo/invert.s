; Inversion by Fermat: x^-1 = x^(p-2); 0 for 0.
; in    base;  out base
; cost  bits(p) S + (bits(p) / 4 + 14) M
.routine fermat_inverse
.in base
.out base
.clobber exponent
.reg two
    iadd two, one, one
    isub exponent, p, two
    setc c0, PBITS-1
    jmp  modexp
