; End of add_point_var in projective coordinates if Z3 = 0: one of the points is infinity, or they are equal or opposite.
; in    t1 = Z^2; qy = 0 if both points have the same y
.routine exceptional_sum_var
.in px py qy t1
.out qx qy zs
.reg t
    .assume px modp ; by contract
    .assume py modp ; by contract
    .assume qy modp ; by contract
    .assume t1 modp ; by contract
    mov  t, qy
    setb Z
    first_sum
    mov  t, t1
    br   Z, .first
    br   !B, .opposite
    double_point
.first:
    ret
.opposite:
    mov  zs, zero_p
    ret
