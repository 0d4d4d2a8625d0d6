; Affine addition of public points, complete: (qx, qy) = (px, py) + (qx, qy), all M(), infinity = (0, 0) in and out.
; cost  1 inversion + 2 M + 1 S (2 S doubling). Variable time.
.routine affine_add_var
.in px py qx qy
.out qx qy
.clobber base exponent unit
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
    add  h, qy, py              ; x equal: y of opposite sign, or the same point
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
