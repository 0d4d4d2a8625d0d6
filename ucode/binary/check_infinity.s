; Continues if px, py is (0, 0), the encoding of infinity; otherwise the job ends with NOT_ON_CURVE.
.routine check_infinity
.in px py
.reg t
    mov  t, px
    setb Z
    mov  t, py
    setb B&Z
    br   !B, not_on_curve
    ret
