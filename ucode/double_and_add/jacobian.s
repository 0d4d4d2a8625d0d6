; Points for double-and-add in Jacobian coordinates, x = X / Z^2, y = Y / Z^3: the sum is (qx : qy : zs), infinity zs = 0.
; cost  double 5 M + 5 S, add 11 M + 3 S, to affine an inversion, 3 M + 1 S. a is any element: one product of each sum.
; IEEE P1363-2000, A.10.6 and A.10.7; c = b^(1/4).

; 2 (qx : qy : zs), of infinity and the point of order two as of any other.
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
.routine add_point_var          ; (qx : qy : zs) += (px, py), every case
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
.routine to_affine_var          ; (qx, qy), Z = the sum is infinity
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
