; The point in px, py (integers as loaded), checked: threads where it is none end with COORD_RANGE or NOT_ON_CURVE.
; (0, 0), the encoding of infinity, is not on any curve with b != 0: callers that accept it replace it before.
.routine load_point
.in px py
.reg t
    isub t, px, p
    fail !C, COORD_RANGE
    isub t, py, p
    fail !C, COORD_RANGE
    call curve_equation
    fail !Z, NOT_ON_CURVE
    ret
; Z = (px, py) satisfies the curve equation.
.routine curve_equation
.in px py
.reg u, v
    mul  u, px, px
    mul  v, py, py
    add  u, u, a                ; x^2 + a
    mul  u, u, px
    add  u, u, b                ; x^3 + a x + b
    sub  v, v, u
    canon v, v
    ret
