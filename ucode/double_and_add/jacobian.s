; Point operations of double-and-add in Jacobian coordinates, x = X / Z^2, y = Y / Z^3. The sum is (qx : qy : zs); zs = 0 is
; infinity. a may be any element: it costs one product in each addition.
; cost  doubling 5 M + 5 S, addition 11 M + 3 S, conversion to affine an inversion + 3 M + 1 S
; After IEEE P1363-2000, A.10.6 and A.10.7; c = b^(1/4).

; (qx : qy : zs) = 2 (qx : qy : zs). Infinity and the point of order two need no special case.
.macro double_point
    .reg z2, x2, x4
    mul  z2, zs, zs
    mul  x2, qx, qx
    mul  x4, x2, x2
    mula x2, qy, zs
    mul  zs, qx, z2             ; Z3 = X Z^2
    mula qx, c, z2
    mul  qy, x4, zs
    mul  qx, qx, qx
    add  x2, x2, zs             ; U = Z3 + X^2 + Y Z
    mul  qx, qx, qx             ; X3 = (X + c Z^2)^4
    mula qy, x2, qx             ; Y3 = X^4 Z3 + U X3
.endmacro
.routine add_point_var          ; (qx : qy : zs) += (px, py), in every case
.in px py qx qy zs
.out qx qy zs t1
.reg t, v, w
    assume_operands
    mul  t1, zs, zs
    mul  t, py, zs
    mula qx, px, t1             ; W = X + x Z^2
    mula qy, t, t1              ; R = Y + y Z^3
    mul  zs, zs, qx             ; Z3 = Z W
    br   Z, exceptional_sum_var
    mul  v, qy, px
    mula v, zs, py              ; V = R x + Z3 y
    mul  w, qx, qx
    add  t, qy, zs              ; T = R + Z3
    mul  t1, zs, zs
    mul  qx, qx, w
    mula qx, t, qy
    mula qx, a, t1              ; X3 = W^3 + T R + a Z3^2
    mul  qy, v, t1
    mula qy, t, qx              ; Y3 = T X3 + V Z3^2
    ret
.routine to_affine_var          ; (qx, qy) = the sum; Z = it is infinity
.in qx qy zs
.out qx qy inv t1 t3
    .assume qx modp ; by contract
    .assume qy modp ; by contract
    mov  inv, zs
    recip
    mul  t, inv, inv
    mul  qx, qx, t
    mul  t, t, inv
    mul  qy, qy, t
    mov  t, zs
    ret
