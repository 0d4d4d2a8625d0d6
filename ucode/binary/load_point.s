; The curve equation y (y + x) = x^2 (x + a) + b for px, py. out: Z = it holds. Modulus 0 selected.
; (0, 0), the encoding of infinity, is on no curve with b != 0: who accepts it goes to check_infinity.
.routine curve_equation
.in px py
.reg t, u, v, w
    .assume px modp ; by contract
    .assume py modp ; by contract
    add  u, py, px
    mul  v, px, px
    mov  w, b
    add  t, px, a
    mula w, py, u
    mula w, v, t
    ret
