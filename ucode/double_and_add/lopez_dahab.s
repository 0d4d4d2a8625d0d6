; Point operations of double-and-add in Lopez-Dahab coordinates, x = X / Z, y = Y / Z^2. The sum is (qx : qy : zs); zs = 0 is
; infinity. a may be any element: it costs one product in each operation.
; cost  doubling 5 M + 5 S, addition 9 M + 5 S, conversion to affine an inversion + 2 M + 1 S
; After J. Lopez, R. Dahab, SAC 1998; E. Al-Daoud et al., IEEE Trans. Computers 51, 2002.

; (qx : qy : zs) = 2 (qx : qy : zs). Infinity and the point of order two need no special case.
.macro double_point
    .reg z2, x2, y2, bz
    mul  z2, zs, zs
    mul  x2, qx, qx
    mul  y2, qy, qy
    mul  bz, z2, z2
    mul  zs, x2, z2             ; Z3 = X^2 Z^2
    mul  bz, bz, b              ; b Z^4
    mul  qx, x2, x2
    mula y2, a, zs
    add  qx, qx, bz             ; X3 = X^4 + b Z^4
    add  y2, y2, bz
    mul  qy, bz, zs
    mula qy, y2, qx             ; Y3 = b Z^4 Z3 + X3 (Y^2 + a Z3 + b Z^4)
.endmacro
.routine add_point_var          ; (qx : qy : zs) += (px, py), in every case
.in px py qx qy zs
.out qx qy zs t1
.reg t, u, v, w
    assume_operands
    mul  t1, zs, zs
    mula qx, px, zs             ; B = X + x Z
    mula qy, py, t1             ; A = Y + y Z^2
    mul  w, qx, zs              ; C = Z B
    br   Z, exceptional_sum_var
    mul  zs, w, w               ; Z3 = C^2
    mul  t, qx, qx
    mul  qx, qy, qy
    mula t, a, w
    mul  u, px, zs
    add  t, t, qy
    mul  v, qy, w
    mul  t1, zs, zs
    mula qx, w, t               ; X3 = A^2 + C (A + B^2 + a C)
    add  w, px, py
    add  v, v, zs               ; A C + Z3
    mul  qy, w, t1
    add  u, u, qx               ; x Z3 + X3
    mula qy, u, v               ; Y3 = (x Z3 + X3) (A C + Z3) + (x + y) Z3^2
    ret
.routine to_affine_var          ; (qx, qy) = the sum; Z = it is infinity
.in qx qy zs
.out qx qy inv t1 t3
    .assume qx modp ; by contract
    .assume qy modp ; by contract
    mov  inv, zs
    recip
    mul  qx, qx, inv
    mul  t, inv, inv
    mul  qy, qy, t
    mov  t, zs
    ret
