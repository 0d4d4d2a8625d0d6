; Inversion by Fermat's theorem: x^-1 = x^(m-2), for m = p or n; the inverse of 0 is 0. The exponent is read in windows of
; 4 bits from the most significant bit.
; in    base = x R mod m
; out   base = R / x mod m
; cost  256 S + 79 M, of 3 products each
.macro mont_m rd, ra, rb        ; ra rb / R mod sz
    .block ab, 2, align 2
    mulw ab, ra, rb
    mull t, ab, rz
    mulh t, t, sz
    isub t, ab+1, t
    caddc rd, t, sz
.endmacro
; A product that the next one waits for ends with a single sum. The value of acc is x = acc - C R, -m < x < R, where C is
; the borrow of the subtraction that produced it (see turbo/square_n.s). acc = x^2 / R mod m:
;   floor(x^2 / R) = floor(acc^2 / R) - C (2 acc - R)
.macro square_begin
    .block ab, 2, align 2
    mulw ab, acc, acc
    caddc z, zero, acc
.endmacro
.macro square_end
    mull t, ab, rz
    isub acc, ab+1, z
    mulh t, t, sz
    isub acc, acc, z
    isub acc, acc, t
.endmacro
.macro square
    square_begin
    square_end
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
; None of them is a register of ab: sums write them while products read or write ab.
.reg t = 43
.reg z = 44
.reg acc = 45
.reg f, gap
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
    isub acc, acc, zero         ; C = 0
    jmp  .count
.window:
    square
    square
    square
    ldx  PUBLIC, c0
    movx f, pt
    square_begin
    isub gap, sz, f
    square_end
    mulw ab, acc, f             ; acc f / R: floor(x f / R) + m = floor(acc f / R) + m - f if x is negative
    mull t, ab, rz
    caddc acc, ab+1, gap
    mulh t, t, sz
    isub acc, acc, t
.count:
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window
    caddc base, acc, sz
    ret
