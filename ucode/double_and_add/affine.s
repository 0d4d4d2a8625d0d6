; Points for double-and-add in affine coordinates: the sum is (qx, qy), infinity (0, 0); zs is not looked at.
; cost  of both an inversion, 2 M + 2 S and 2 M + 1 S. Variable time: a sum has several cases (affine_add_var).

; (qx, qy) = 2 (qx, qy). B = it is infinity: of that and of the point of order two, where x is 0.
.macro double_point
    .reg r, s
    mov  inv, qx
    setb Z
    recip
    mul  s, qx, qx
    mula qx, qy, inv            ; slope = x + y / x
    mul  r, qx, qx
    add  r, r, qx
    add  r, r, a                ; x3 = slope^2 + slope + a
    mula s, qx, r
    add  s, s, r                ; x^2 + slope x3 + x3
    csel qx, r, zero_p
    csel qy, s, zero_p
.endmacro
.routine add_point_var          ; (qx, qy) += (px, py), every case
.in px py qx qy
.out qx qy inv t1 t3
    jmp  affine_add_var
.routine to_affine_var          ; Z = the sum is infinity
.in qx qy
.reg t
    mov  t, qx
    setb Z
    mov  t, qy
    setb B&Z
    csel t, one_p, zero_p
    ret
