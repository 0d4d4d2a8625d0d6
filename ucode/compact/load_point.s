; Checks the point in px, py and converts it to Montgomery form.
; in    px, py integers, as loaded from the operands
; out   px, py = M(x), M(y)
; Ends the job with COORD_RANGE if a coordinate is not below p, and with NOT_ON_CURVE if the curve equation does not hold.
; (0, 0), the encoding of infinity, is on no curve with b != 0: callers that accept it test for it first.
.routine load_point
.in px py
.out px py
.reg t, u
    mod  0
    isub t, px, p
    br   !C, coord_range
    isub t, py, p
    br   !C, coord_range
    mul  px, px, r2p
    mul  py, py, r2p
    mul  t, px, px              ; x^2
    mul  u, py, py              ; y^2
    add  t, t, a                ; x^2 + a
    mul  t, t, px
    add  t, t, b                ; x^3 + a x + b
    isub t, t, u
    br   !Z, not_on_curve
    ret
coord_range:
    call refuse
    done COORD_RANGE, 0
not_on_curve:
    call refuse
    done NOT_ON_CURVE, 0
