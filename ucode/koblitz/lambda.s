; Sums in lambda coordinates, x = X / Z, x + y / x = L / Z, of (x : l : z) and the table's point (tx, tg), tg = lambda + 1.
; The macros use register names of the routine that calls them. a is 0 or 1, but is multiplied by like any element.
; After T. Oliveira, J. Lopez, D. Aranha, F. Rodriguez-Henriquez, Lambda coordinates for binary elliptic curves, CHES 2013;
; model: koblitz.Lambda.

; zz = Z^2, e = L^2 + a Z^2, t = L Z, v = X Z.
.macro begin_doubling
    .reg zz, e, t, v
    mul  zz, z, z
    mul  e, l, l
    mul  t, l, z
    mul  v, x, z
    mula e, a, zz
.endmacro
; The point of column c0. Its two digits are signs: bit c0 of FIRST and bit c0 of SECOND.
.macro first_digit
    ldbx FIRST, c0
.endmacro
.macro second_digit
    ldbx SECOND, c0             ; B: the digits differ; P: positive
.endmacro
.macro choose
    .reg negative, positive
    csel tx, same_x, other_x
    csel negative, same_h, other_h
    csel positive, same_g, other_g
    setb P
    csel tg, negative, positive
.endmacro
; (x : l : z) = 2 (x : l : z) + (tx, tg), the last sum, in every case. z = 0 for infinity.
.macro complete_sum
    .reg slope, s, u, b, ab, sum_x, sum_l
    begin_doubling
    add  slope, tg, one_p
    mul  v, v, v
    mul  b, slope, slope
    add  e, e, t                ; T = L^2 + L Z + a Z^2
    mul  x, e, e                ; X' = T^2
    mul  z, e, zz               ; Z' = T Z^2
    mula v, e, t
    add  l, v, x
    mul  u, tx, z
    add  l, l, z                ; L' = (X Z)^2 + X' + T L Z + Z'
    add  s, l, z
    mula l, slope, z            ; A = L' + lambda Z'
    setb Z                      ; B: the same point
    add  t, x, u
    mul  t, t, t                ; (X' + x Z')^2
    mul  sum_x, l, x
    mul  ab, l, t
    mul  u, l, u
    mul  z, ab, z
    add  t, t, u
    mul  sum_x, sum_x, u
    mul  sum_l, t, t
    mula sum_l, ab, s
    add  b, b, slope
    add  b, b, a                ; T of the table's point
    mul  x, b, b
    mul  l, tx, tx
    add  l, l, x
    mula l, b, slope
    add  l, l, b
    csel x, sum_x, x
    csel l, sum_l, l
    csel z, z, b
.endmacro
