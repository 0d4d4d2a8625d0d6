; Odd signed digits of 4 bits and the table of P, 3P .. 15P: the common part of the loops of scalar_mul.
;
; For each digit the whole table is read: (sx, sy) is entry 0 at first; then come candidates 1 .. 7. `subtract_y` applies the
; sign in an addition, to the difference of two random numbers: a negation would be 0 - y or 0 + y, and show which.
.macro candidate i
    setb X==i
    csel sx, sx, pt+2*i
    csel sy, sy, pt+2*i+1
.endmacro
; rd = ra - rb, or ra + rb if the digit is negative: with the y of a summand without its sign this is -(Y2 - Y1)
.macro subtract_y rd, ra, rb
    setb !P
    addsub rd, ra, rb
.endmacro
; rd = sy with the sign of the digit, by selection from both
.macro signed_y rd
    .reg nsy
    sub  nsy, zero, sy
    setb P
    csel rd, sy, nsy
.endmacro
; in    k in [0, n), P = (px, py) on the curve, rz not 0 mod p
; out   slot SCALAR; the table of odd_multiples for P on the isomorphic curve with a rz^4 in the place of a, so that with a
;       random rz no coordinates are known. c rz is the factor that maps back to the curve.
; cost  94 M
.routine window_table
.in k px py rz
.out pt c wa
.clobber px py jx jy jz tz xx sx sy h r
.reg u, v
    mov  sx, offset
    call recode
    mul  u, rz, rz
    mul  v, rz, u
    mul  px, px, u
    mul  py, py, v
    mul  u, u, u
    mul  wa, u, a
    jmp  odd_multiples
