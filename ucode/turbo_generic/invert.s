; Inversion by Fermat: x^-1 = x^(m-2), for m = p or n; 0 for 0. The exponent has windows of 4 bits from the top.
; in    base = x R mod m;  out base = R / x mod m
; cost  256 S + 79 M
.macro mont_m rd, ra, rb        ; ra rb / R mod sz
    .block ab, 2, align 2
    mulw ab, ra, rb
    mull t, ab, rz
    mulh t, t, sz
    isub t, ab+1, t
    caddc rd, t, sz
.endmacro
.routine fermat_inverse
.in base
.out base
.clobber sz rz exponent
    mov  sz, p
    mov  rz, pinv
    mov  exponent, r2p
    jmp  inverse_mod_m
.routine fermat_inverse_n
.in base
.out base
.clobber sz rz exponent
    mov  sz, n
    mov  rz, ninv
    mov  exponent, r2n
    jmp  inverse_mod_m
; in    sz = m, rz = m^-1 mod R, exponent = R^2 mod m
.routine inverse_mod_m
.in base sz rz exponent
.out base
.clobber pt
.reg acc, t
    mont_m pt, exponent, one
    mov  pt+1, base
    mont_m pt+2, base, base
    mont_m pt+3, pt+2, base
    mont_m pt+4, pt+2, pt+2
    mont_m pt+5, pt+2, pt+3
    mont_m pt+6, pt+3, pt+3
    mont_m pt+7, pt+3, pt+4
    mont_m pt+8, pt+4, pt+4
    mont_m pt+9, pt+4, pt+5
    mont_m pt+10, pt+5, pt+5
    mont_m pt+11, pt+5, pt+6
    mont_m pt+12, pt+6, pt+6
    mont_m pt+13, pt+6, pt+7
    mont_m pt+14, pt+7, pt+7
    mont_m pt+15, pt+7, pt+8
    iadd t, one, one
    isub t, sz, t
    st   PUBLIC, t
    setc c0, RBITS-1
    ldx  PUBLIC, c0
    movx acc, pt
    jmp  .count
.window:
    mont_m acc, acc, acc
    mont_m acc, acc, acc
    mont_m acc, acc, acc
    mont_m acc, acc, acc
    ldx  PUBLIC, c0
    movx t, pt
    mont_m acc, acc, t
.count:
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window
    mov  base, acc
    ret
