; k P in constant time: windows of 4 bits, odd signed digits, and a table of P, 3P .. 15P that is always read as a whole.
; in    k in [0, n), P = (px, py) on the curve, rz not 0 mod p
; out   jx, jy, jz: x = jx / jz^2, y = jy / jz^3; jz = 0 mod p for infinity
;
; Each window has four doublings in modified Jacobian coordinates (Cohen, Miyaji, Ono 1998), 4 M + 4 S for any a, of which
; the last one does not compute a Z^4 and X^2; then the addition of (sx, sy), 10 M + 4 S. For a = -3, which becomes -3 c^4
; here, there is another loop: with tz = (c Z)^2 in the place of a Z^4 the slope is 3 X^2 + a Z^4 = 3 (X - tz) (X + tz), and
; tz is updated like Z: times 4 Y^2 in a doubling, times H^2 in the addition. The assembler orders the operations.
;
; Exceptions. The sum of the digits is odd and below 2^(bits(n) + 4) in absolute value. Before a window's addition it can
; equal +- d only modulo n. This is possible in the last window only (see recode), and last_addition handles it.
; First P is mapped to the isomorphic curve with a rz^4 in the place of a, so that with a random rz no coordinates are known.
; cost  94 M + (bits / 4) 45 M; 44 M a window for a = -3

; jx, jy, jz = their double, from y2 = 2 Y, u = 2 Y^2 and the slope m; o = 8 Y^4
.macro tangent
    mul  jz, y2, jz
    mul  s, jx, u               ; 2 X Y^2
    mul  v, m, m
    add  g, s, s                ; S = 4 X Y^2
    add  w, g, g
    mul  q, u, u                ; 4 Y^4
    sub  jx, v, w               ; X3 = M^2 - 2 S
    sub  t, g, jx
    mul  r, t, m
    add  o, q, q
    sub  jy, r, o               ; Y3 = M (S - X3) - 8 Y^4
.endmacro
.macro double_point
    add  y2, jy, jy
    mul  u, y2, jy              ; 2 Y^2
    add  e, xx, xx
    add  f, xx, tz
    add  m, f, e                ; M = 3 X^2 + a Z^4
    tangent
.endmacro
.macro double
    double_point
    mul  xx, jx, jx
    add  z, o, o                ; 16 Y^4
    mul  tz, tz, z
.endmacro
.macro double_minus3
    add  y2, jy, jy
    mul  u, y2, jy
    sub  e, jx, tz
    add  f, jx, tz
    mul  m, e, f
    add  e, m, m
    add  m, m, e                ; M = 3 (X - tz) (X + tz)
    tangent
    add  z, u, u                ; 4 Y^2
    mul  tz, tz, z
.endmacro
.macro add_multiple             ; (jx, jy, jz) += (sx, sy), or -= if the digit is negative; d = H^2
    mul  z2, jz, jz
    mul  ha, sx, z2
    mul  z3, jz, z2
    sub  h, ha, jx              ; H = X2 - X1
    mul  d, h, h
    mul  ra, sy, z3
    subtract_y r, jy, ra        ; -r = Y1 - Y2
    mul  ea, h, d               ; H^3
    mul  va, jx, d              ; V = X1 H^2
    mul  jz, jz, h              ; Z3 = Z1 H
    mul  ta, r, r
    add  w, va, va
    add  w, w, ea
    sub  jx, ta, w              ; X3 = r^2 - H^3 - 2 V
    mul  eb, jy, ea
    sub  vb, jx, va
    mul  vb, vb, r
    sub  jy, vb, eb             ; Y3 = -r (X3 - V) - Y1 H^3
.endmacro
.routine scalar_mul
.in k px py rz
.out jx jy jz
.clobber px py exponent tz xx sx sy h r c wa
.reg y2, u, e, f, m, s, v, g, w, q, t, o, z, d, ha, z2, z3, ra, ea, va, ta, eb, vb
    call window_table
    mul  c, c, rz
    setc c0, NBITS-1
    digit
    mov  jx, sx
    signed_y jy
    mov  jz, one_p
    setc c0, NBITS-5
    br   !AM3, .any_a
    mul  tz, c, c
.window:
    digit
    double_minus3
    double_minus3
    double_minus3
    double_minus3
    add_multiple
    mul  tz, tz, d
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window
    jmp  .end
.any_a:
    mov  tz, wa
    mul  xx, jx, jx
.window_any_a:
    digit
    double
    double
    double
    double_point
    add_multiple
    mul  xx, jx, jx
    mul  z, jz, jz
    mul  z, z, z
    mul  tz, wa, z
    loop c0, .a1
.a1:
    loop c0, .a2
.a2:
    loop c0, .a3
.a3:
    loop c0, .window_any_a
.end:
    signed_y sy
    jmp  last_addition
