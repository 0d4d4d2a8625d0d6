; k P as in turbo/scalar_mul.s, which explains the exceptional cases, but for one thread: formulas of small depth, in an order
; that the assembler finds. A product in the chain of dependent products costs time here; any other product is cheap.
; in    k in [0, n), P = (px, py) on the curve, rz not 0 mod p
; out   jx, jy, jz: x = jx / jz^2, y = jy / jz^3; jz = 0 mod p for infinity
;
; Jacobian coordinates (X, 2Y, Z, a Z^4) in jx, jy, jz, tz; the table holds x and 2 y. With M = 3 X^2 + a Z^4 and
; D = (2Y)^2, which does not depend on M, a doubling is
;   X' = M^2 - 2 X D    2Y' = (6 X M) D - D^2 - 2 M^3    Z' = 2Y Z    a Z'^4 = a Z^4 D^2
; with one product and two sums between D and 2Y': one product less than in M (S - X') - 8 Y^4.
; cost  102 M + (bits / 4) 56 M
.macro double
    add  x2, jx, jx
    add  x4, x2, x2
    add  x6, x4, x2
    mul  e, jx, jx
    add  m, e, tz
    add  e, e, e
    add  m, m, e                ; M
    add  m2, m, m
    mul  v, m, m
    mul  f, x6, m               ; 6 X M
    mul  d, jy, jy              ; D
    mul  jz, jy, jz
    mul  s, x2, d
    mul  q, d, d
    mul  tz, tz, q
    sub  jx, v, s
    mul  v, v, m2               ; 2 M^3
    mul  f, f, d
    sub  f, f, v
    sub  jy, f, q
.endmacro
.routine scalar_mul
.in k px py rz
.out jx jy jz
.clobber px py tz xx sx sy h r c wa pt
.reg x2, x4, x6, e, m, m2, v, f, d, s, q, u, i, g, t, z
    call window_table
    mul  c, c, rz
    add  pt+1, pt+1, pt+1
    add  pt+3, pt+3, pt+3
    add  pt+5, pt+5, pt+5
    add  pt+7, pt+7, pt+7
    add  pt+9, pt+9, pt+9
    add  pt+11, pt+11, pt+11
    add  pt+13, pt+13, pt+13
    add  pt+15, pt+15, pt+15
    setc c0, NBITS-1
    digit
    mov  jx, sx
    signed_y jy
    mov  jz, one
    mov  tz, wa
    setc c0, NBITS-5
.window:
    digit
    double
    double
    double
    ; The Z of the sum is the Z before the last doubling times 2Y, so that x2 Z^2 and y2 Z^3 do not wait for it.
    mul  z, jz, jz
    mul  u, sx, z
    mul  z, sy, z
    double
    mul  u, u, d
    mul  z, z, d
    mul  z, z, jz
    ; + (sx, sy) (Bernstein, Lange 2007): r = 2 S2 - 2 Y1, I = (2 H)^2
    sub  h, u, jx               ; H = X2 - X1
    subtract_y r, jy, z         ; -r
    add  u, h, h
    mul  i, u, u
    mul  jz, jz, u
    add  x2, jx, jx
    add  g, h, x2
    add  x2, x2, jx
    add  x2, h, x2
    mul  g, i, g                ; H I + 2 V,  V = X1 I
    mul  t, i, x2               ; H I + 3 V
    mul  v, r, r
    sub  jx, v, g
    sub  t, v, t                ; X3 - V
    mul  q, i, i
    mul  tz, tz, q
    mul  i, i, h
    add  e, jy, jy
    mul  e, e, i
    add  f, r, r
    mul  t, t, f
    sub  jy, t, e               ; 2 Y3 = -2 r (X3 - V) - 4 Y1 H I
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window

    ; If (sx, sy) was added to an equal point (h = r = 0), the result is twice that point.
    mov  u, jx
    mov  t, jy
    mov  z, jz
    mov  jx, sx
    signed_y jy
    mov  jz, one
    mov  tz, wa
    double
    canon h, h
    setb Z
    canon r, r
    setb B&Z
    csel jx, u, jx
    csel jy, t, jy
    csel jz, z, jz

    ; (X, 2Y, Z) = (4X, 8Y, 2Z), back on the curve
    mul  jz, jz, c
    add  jx, jx, jx
    add  jy, jy, jy
    add  jx, jx, jx
    add  jy, jy, jy
    add  jz, jz, jz
    ret
