; base^exponent with 4-bit windows, from the most significant bit. The exponent is public: p - 2, n - 2, or an operand of
; MOD_EXP.
; in    base = M(x), exponent, unit = M(1), modulus selected; c0 = number of bits of the exponent - 1 (leading zeros are
;       allowed)
; out   base = M(x^exponent); 0 for x = 0, exponent > 0
; cost  14 M + (bits / 4) (4 S + 1 M)
.routine modexp
.in base exponent unit
.out base
.block tab, 16, align 16
    st   EXPONENT, exponent
    mov  tab, unit
    mov  tab+1, base
    mul  tab+2, base, base
    mul  tab+3, tab+2, base
    mul  tab+4, tab+2, tab+2
    mul  tab+5, tab+2, tab+3
    mul  tab+6, tab+3, tab+3
    mul  tab+7, tab+3, tab+4
    mul  tab+8, tab+4, tab+4
    mul  tab+9, tab+4, tab+5
    mul  tab+10, tab+5, tab+5
    mul  tab+11, tab+5, tab+6
    mul  tab+12, tab+6, tab+6
    mul  tab+13, tab+6, tab+7
    mul  tab+14, tab+7, tab+7
    mul  tab+15, tab+7, tab+8
    ldx  EXPONENT, c0
    movx base, tab
    jmp  .count
.window:
    mul  base, base, base
    mul  base, base, base
    mul  base, base, base
    mul  base, base, base
    ldx  EXPONENT, c0
    mulx base, base, tab
.count:
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window
    ret
