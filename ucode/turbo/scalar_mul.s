; k P in constant time: windows of 4 bits, odd signed digits, a table of P, 3P .. 15P that is read as a whole.
; in    k in [0, n), P = (px, py) on the curve;  out jx, jy affine and canonical, (0, 0) for infinity; Z = infinity
;
; Doublings in modified Jacobian coordinates (Cohen, Miyaji, Ono 1998), 4 M + 4 S for any a.
; Exceptions. The sum of the digits is odd and below 2^(bits(n) + 4) in size, and a window's sum before its last addition
; is +- d only modulo n: that is possible in the last window only (see recode). There k = 0 gives Z = 0, which is right,
; and two equal points are doubled instead, in every run.
; cost  86 M + (bits / 4) 46 M + an inversion
.routine scalar_mul
.in k px py
.out jx jy
.clobber jz tz xx sx sy h r c wa base exponent
.reg y2, u, m, e, s, v, w, q, t
    call recode
    call odd_multiples
    setc c0, NBITS-1
    call window_point
    mov  jx, sx
    mov  jy, sy
    mov  jz, one
    mov  tz, wa
    mul  xx, jx, jx
    jmp  .count
.window:
    setc c1, 2
.double:
    add  y2, jy, jy
    mul  u, y2, jy              ; 2 Y^2
    add  e, xx, xx
    add  m, xx, tz
    mul  s, jx, u               ; 2 X Y^2
    add  m, m, e                ; M = 3 X^2 + a Z^4
    mul  v, m, m
    add  s, s, s                ; S = 4 X Y^2
    mul  jz, y2, jz             ; Z3 = 2 Y Z
    add  w, s, s
    sub  jx, v, w               ; X3 = M^2 - 2 S
    mul  q, u, u                ; 4 Y^4
    sub  t, s, jx
    add  q, q, q
    mul  xx, jx, jx
    mul  t, t, m
    add  w, q, q                ; 16 Y^4
    mul  tz, tz, w              ; a Z3^4
    sub  jy, t, q               ; Y3 = M (S - X3) - 8 Y^4
    loop c1, .double
    ; the last doubling of a window leaves out a Z^4 and X^2
    add  y2, jy, jy
    mul  u, y2, jy
    add  e, xx, xx
    add  m, xx, tz
    mul  s, jx, u
    add  m, m, e
    mul  v, m, m
    add  s, s, s
    mul  jz, y2, jz
    add  w, s, s
    sub  jx, v, w
    mul  q, u, u
    sub  t, s, jx
    add  q, q, q
    mul  t, t, m
    sub  jy, t, q
    call window_point
    call mixed_add
.count:
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window

    ; where the last addition met equal points (h = r = 0): twice (sx, sy)
    add  y2, sy, sy
    mul  u, y2, sy
    mul  e, sx, sx
    mul  s, sx, u
    add  m, e, wa
    add  e, e, e
    add  m, m, e
    mul  v, m, m
    mul  q, u, u
    add  s, s, s
    add  w, s, s
    sub  v, v, w
    add  q, q, q
    sub  t, s, v
    mul  t, t, m
    sub  t, t, q
    canon h, h
    setb Z
    canon r, r
    setb B&Z
    csel jx, jx, v
    csel jy, jy, t
    csel jz, jz, y2

    mul  base, jz, c            ; back on the curve
    call fermat_inverse
    mul  t, base, base
    mul  u, t, base
    mul  jx, jx, t
    mul  jy, jy, u
    canon jx, jx
    canon jy, jy
    canon base, base            ; Z
    ret
