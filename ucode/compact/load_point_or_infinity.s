; As load_point, but accepts (0, 0), the encoding of infinity.
.routine load_point_or_infinity
.in px py
.out px py
.reg t
    iadd t, px, zero
    setb Z
    iadd t, py, zero
    setb B&Z
    br   !B, load_point
    .assume px modp ; 0
    .assume py modp ; 0
    ret
