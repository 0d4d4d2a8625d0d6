; tau P + P and tau P - P of a point P of odd order, in lambda coordinates, and at the same time the digits of the scalar.
; With lambda^2 + lambda = W / x^2, W = x^4 + a x^2 + 1, the point tau P + P has x3 = W / (x (x + 1)^2) and lambda3 =
; lambda + 1 + (W + x^2 (x + 1)^2)^2 / (W (x + 1)^2). For tau P - P replace W by W + x^2, and lambda + 1 by lambda.
;
; in    slot SCALAR = k, px, py, modulus 0 selected
; out   same_x, other_x; same_g, other_g: lambda + 1 of each; same_h, other_h: lambda + 1 of the opposite points;
;       slots FIRST, SECOND, SCALAR = 0; modulus 0 selected
; cost  an inversion at the same time as koblitz_digits, 18 M + 4 S
.routine koblitz_table
.in px py
.out k n inv t1 t3 same_x same_g same_h other_x other_g other_h
.reg xx, v, w, c, e, p, wv, slope, lambda
    .assume px modp ; by contract
    .assume py modp ; by contract
    mul  xx, px, px
    mul  w, xx, xx
    mula w, a, xx
    add  w, w, one_p            ; W
    add  v, w, xx               ; W + x^2
    add  c, xx, one_p           ; (x + 1)^2
    mul  p, px, c
    mul  wv, w, v
    mul  inv, p, wv
    begin_recip
    call koblitz_digits
    mod  0
    mul  p, px, inv
    mul  wv, wv, inv            ; 1 / (x (x + 1)^2)
    mul  same_x, w, wv
    mul  other_x, v, wv
    mul  lambda, c, wv          ; 1 / x
    add  slope, xx, py
    mul  lambda, slope, lambda  ; x + y / x
    mul  e, xx, c
    add  xx, w, e
    add  e, v, e
    mul  xx, xx, xx
    mul  e, e, e
    mul  v, v, p                ; 1 / (W (x + 1)^2)
    mul  w, w, p
    add  same_h, lambda, one_p
    mula same_h, xx, v
    mov  other_h, lambda
    mula other_h, e, w
    add  same_g, same_h, one_p  ; lambda + 1
    add  other_g, other_h, one_p
    ret
