; Point operations of double-and-add in affine coordinates. The sum is (qx, qy), infinity is (0, 0), and zs is not used.
; Variable time: an addition has several cases (affine_add_var).
; cost  doubling 1 inversion + 2 M + 2 S, addition 1 inversion + 2 M + 1 S

; (qx, qy) = 2 (qx, qy). B = the result is infinity. This holds for infinity and for the point of order two: both have x = 0.
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
.routine add_point_var          ; (qx, qy) += (px, py), in every case
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
