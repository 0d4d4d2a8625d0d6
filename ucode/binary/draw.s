; The random element of a ladder. Callers of scalar_mul draw it as early as they can, while the unit for GF(2^m) works.
.macro draw_bits
    rnd  DRAW
.endmacro
; zd = the element, Z = it is 0.
.macro load_z
    ld   zd, DRAW
    .assume zd modp ; ld takes the coefficients below z^m
    mov  zd, zd
.endmacro
.macro draw_z
    draw_bits
    load_z
.endmacro
