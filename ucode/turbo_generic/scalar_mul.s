; k P as in turbo/scalar_mul.s (windows, digits, exceptions, randomisation), for the arithmetic of modular_p.s. There a
; product takes one pass of the array and its reduction two more; a difference takes two sums, and a reduced sum three. This
; routine therefore uses differences where it can, loose sums as factors, and one reduction for two products of which only the
; difference is used. The assembler orders the operations.
; in    k in [0, n), P = (px, py) on the curve, rz not 0 mod p
; out   jx, jy, jz: x = jx / jz^2, y = jy / jz^3; jz = 0 for infinity
;
; Modified Jacobian coordinates with tz = - a Z^4 (Cohen, Miyaji, Ono 1998).
; cost  94 M + (bits / 4) 45 M, with 42 reductions of the 45

; (sx, sy) = d P, where d is the digit at bit c0. Reads the whole table.
.macro digit
    ldw  SCALAR, c0
    setb X==1
    csel sx, pt, pt+2
    csel sy, pt+1, pt+3
    candidate 2
    candidate 3
    candidate 4
    candidate 5
    candidate 6
    candidate 7
    setb P
    isub t, p, sy
    csel sy, sy, t
.endmacro
; 2 (jx, jy, jz) without y, from m = - M, M = 3 X^2 + a Z^4:  Y3 = t m - v u
.macro tangent
    addl y, jy, jy
    mul  u, y, jy               ; 2 Y^2
    mul  jz, y, jz
    addl v, u, u
    mul  s, v, jx               ; S = 4 X Y^2
    mul  w, m, m
    sub  w, w, s
    sub  jx, w, s               ; X3 = M^2 - 2 S
    sub  t, jx, s
.endmacro
; jx, jy, jz = their double;  q = 16 Y^4
.macro double
    sub  m, tz, xx
    sub  m, m, xx
    sub  m, m, xx
    tangent
    mul  q, v, u                ; 8 Y^4
    mul  t, t, m
    sub  jy, t, q               ; Y3 = M (S - X3) - 8 Y^4
    addl q, q, q
.endmacro
.macro double_on
    double
    mul  xx, jx, jx
    mul  tz, tz, q
.endmacro
; Two doublings without tz of the result.
.macro double_twice
    double
    addl d, jx, jx
    addl d, d, jx
    mul_sub m, tz, q, jx, d
    tangent
    mul_sub jy, t, m, v, u
.endmacro
.routine scalar_mul
.in k px py rz
.out jx jy jz
.clobber px py k base exponent rz tz xx sx sy h r c wa
.reg y, u, m, v, s, q, w, t, d, e
    call window_table
    mul  c, c, rz
    sub  wa, zero, wa
    setc c0, NBITS-1
    digit
    mov  jx, sx
    mov  jy, sy
    mov  jz, one_p
    mov  tz, wa
    mul  xx, jx, jx
    setc c0, NBITS-5
.window:
    digit
    double_on
    double_on
    double_twice
    mul  t, jz, jz
    mul  u, sx, t
    mul  t, jz, t
    sub  h, u, jx               ; H = X2 - X1
    mul  d, h, h
    mul  t, sy, t
    mul  e, h, d                ; H^3
    sub  r, t, jy               ; r = Y2 - Y1
    mul  v, jx, d               ; V = X1 H^2
    mul  jz, jz, h              ; Z3 = Z1 H
    mul  t, r, r
    sub  t, t, e
    sub  t, t, v
    sub  jx, t, v               ; X3 = r^2 - H^3 - 2 V
    sub  v, v, jx
    mul  xx, jx, jx
    mul_sub jy, v, r, jy, e     ; Y3 = r (V - X3) - Y1 H^3
    mul  t, jz, jz
    mul  t, t, t
    mul  tz, wa, t
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window

    sub  wa, zero, wa
    jmp  last_addition
