; Complete affine addition of public points: (qx, qy) = (px, py) + (qx, qy). Infinity is (0, 0) in the operands and in the
; result. B = the sum is infinity. Variable time.
; cost  1 inversion + 3 M + 1 S; a doubling has one product more
.routine affine_add_var
.in px py qx qy
.out qx qy inv t1 t3
.reg d, r, t, u, v
    .assume px modp ; by contract
    .assume py modp ; by contract
    .assume qx modp ; by contract
    .assume qy modp ; by contract
    mov  t, px
    setb Z
    mov  t, py
    setb B&Z
    br   B, .out                ; P is infinity
    mov  t, qx
    setb Z
    mov  t, qy
    setb B&Z
    br   B, .copy               ; Q is infinity
    add  r, py, qy
    add  d, px, qx
    br   !Z, .chord
    mov  t, r
    br   !Z, .opposite          ; The x are equal: Q = -P, or Q = P.
    mov  inv, px
    br   Z, .opposite           ; of order 2
    recip
    mul  r, py, inv
    add  r, r, px               ; x + y / x
    jmp  .slope
.chord:
    mov  inv, d
    recip
    mul  r, r, inv
.slope:
    mul  t, r, r
    add  u, r, d
    add  u, u, a
    add  qx, t, u               ; slope^2 + slope + x1 + x2 + a
    add  v, px, qx
    add  qy, qx, py
    mula qy, r, v               ; slope (x1 + x3) + x3 + y1
.out:
    mov  t, qx
    setb Z
    mov  t, qy
    setb B&Z
    ret
.copy:
    mov  qx, px
    mov  qy, py
    jmp  .out
.opposite:
    mov  qx, zero_p
    mov  qy, zero_p
    jmp  .out
