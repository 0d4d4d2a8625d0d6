; Complete affine addition of public points: (qx, qy) = (px, py) + (qx, qy). All coordinates are M(), and infinity is (0, 0)
; in the operands and in the result. Variable time.
; cost  1 inversion + 2 M + 1 S; a doubling has 2 S
.routine affine_add_var
.in px py qx qy
.out qx qy
.clobber base exponent unit sx sy
.reg h, r, t
    mod  0
    iadd t, px, zero
    setb Z
    iadd t, py, zero
    setb B&Z
    br   B, .done               ; P is infinity
    iadd t, qx, zero
    setb Z
    iadd t, qy, zero
    setb B&Z
    br   B, .copy               ; Q is infinity
    sub  r, qy, py
    sub  h, qx, px
    br   !Z, .slope
    add  h, qy, py              ; The x are equal: the points are opposite, or the same.
    br   Z, .opposite
    mul  r, px, px
    add  t, r, r
    add  r, t, r
    add  r, r, a                ; (3 x^2 + a) / 2 y
.slope:
    mov  base, h
    .assume base modp ; copy of h
    call fermat_inverse
    .assume base modp ; below p
    mul  r, r, base             ; slope
    mul  t, r, r
    sub  t, t, px
    sub  qx, t, qx
    sub  t, px, qx
    mul  t, t, r
    sub  qy, t, py
    ret
.copy:
    mov  qx, px
    mov  qy, py
    ret
.opposite:
    sub  qx, qx, qx
    sub  qy, qy, qy
.done:
    ret
