; Checks the point in px, py (integers, as loaded from the operands). A thread whose point is not valid ends with COORD_RANGE
; or NOT_ON_CURVE and continues with G, so that no key is multiplied with a point off the curve. (0, 0), the encoding of
; infinity, is on no curve with b != 0.
.routine load_point
.in px py
.out px py
    call enter_point
    jmp  check_point
; As load_point, but accepts infinity: then jz = 0, and the point is G. For other points jz = 1.
.routine load_point_or_infinity
.in px py
.out px py jz
.reg t
    call enter_point
    iadd t, px, zero
    setb Z
    iadd t, py, zero
    setb B&Z
    csel px, px, gx
    csel py, py, gy
    csel jz, one_p, zero
    jmp  check_point
; Checks that the coordinates are below p. In a thread where they are not, the point becomes (0, 0).
.routine enter_point
.in px py
.out px py
    isub t, px, p
    setb C
    isub t, py, p
    setb B&C
    fail !B, COORD_RANGE
    csel px, zero, px
    csel py, zero, py
    enter px
    enter py
    ret
.routine check_point
.in px py
.out px py
    call curve_equation
    setb Z
    fail !B, NOT_ON_CURVE
    csel px, gx, px
    csel py, gy, py
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
