; The scalar of a blinded ladder for other cofactors than 2 and 4, or short elements: 2^92 multiple + k + rho N, rho of 92
; random bits.
; in    slots SCALAR = k, DRAW, modulus n selected
; out   part = k; slot SCALAR = the scalar, high = its short length
.macro encode_other
    call encode_other_scalar
.endmacro
.routine encode_other_scalar
.out part high
.reg blind, wide
    movl blind, multiple
    setc c1, 91
.rho:
    ldb  DRAW, c1
    iaddl blind, blind, blind
    caddl blind, blind, ord
    loop c1, .rho
    ld   wide, SCALAR
    iaddl blind, blind, wide
    mov  part, wide
    st   SCALAR, blind
    mov  high, blind
    movl blind, zero
    movl wide, zero
    ret
