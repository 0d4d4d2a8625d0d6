; k P by the Frobenius map: (qx, qy) = k (px, py) for P of odd order. All k < 2^bits(N) take the same steps; the algorithm is
; in eccelerate/model/koblitz.py.
; point_mul  in slot SCALAR = k, secret, loaded by load_scalar; px, py is a point of the curve other than infinity;
;            affine_sums; modulus 0 selected. For a point of even order, with blinding or with CHECK, it uses the ladder.
; base_mul   in the same without affine_sums; px, py is the base point
; out   qx, qy; Z = the result is infinity, in which case qx, qy have no meaning. The caller erases SCALAR; FIRST and SECOND
;       are wiped.
; cost  (m - 1) / 2 times 20 operations and 4 selections, two inversions, 63 operations
.routine point_mul
.in px py scalar square square_y qy zd
.out qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y jx jy k n base spare part part2 high low sx added
.clobber same_x same_g same_h other_x other_g other_h
    br   FBLIND, .ladder
    br   FCHECK, .ladder
    call in_subgroup_var
    br   B, frobenius_mul
    setc c3, NBITS              ; as in load_scalar, for `steps`
.ladder:
    mov  zd, zd
    jmp  scalar_mul

.routine base_mul
.in px py zd
.out qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y jx jy k n base spare part part2 high low sx added
.clobber same_x same_g same_h other_x other_g other_h
    br   FBLIND, .ladder
    br   !FCHECK, frobenius_mul
.ladder:
    affine_sums
    mov  zd, zd
    jmp  scalar_mul

.routine frobenius_mul
.in px py zd
.out qx qy inv zs scalar t1 t2 t3 k n sx same_x same_g same_h other_x other_g other_h
.clobber xs xd zd old square square_y jx jy
.reg x, l, z, tx, tg
.reg u, a2, s
    mov  zd, zd
    not_zero zs
    call koblitz_table
    ld   scalar, SCALAR
    .assume scalar modp ; 0

    setc c0, PBITS-4
    first_digit
    second_digit
    choose
    add  l, tg, one_p
    mov  z, zs
    mul  x, tx, zs
    mul  l, l, zs
    loop c0, .second
.second:
    first_digit
    second_digit
    choose
    setc c1, PBITS-3
frobenius_column:               ; (m - 1) / 2 times: 2 (x : l : z) + (tx, tg)
    begin_doubling
    mul  u, tx, zz
    loop c0, .next
.next:
    add  t, t, e                ; T = L^2 + L Z + a Z^2
    first_digit
    mula e, tg, zz
    mul  v, v, v
    second_digit
    add  s, u, t
    mula v, t, e                ; A = X^2 Z^2 + T (L^2 + (a + 1 + lambda) Z^2)
    mul  s, s, s                ; B = (x Z^2 + T)^2
    csel tx, same_x, other_x
    mul  a2, v, v
    mul  z, v, s
    add  s, v, s
    mul  x, u, a2               ; x Z^2 A^2
    mul  z, z, zz               ; A B Z^2
    mul  s, s, s
    csel negative, same_h, other_h
    csel positive, same_g, other_g
    setb P
    mul  l, t, s
    mula l, tg, z               ; T (A + B)^2 + (lambda + 1) Z
    csel tg, negative, positive
    loop c1, .half
.half:
    loop c1, frobenius_column

    complete_sum
    mov  inv, z
    begin_recip
    mod  1
    st   FIRST, zero            ; shorter than wipe
    st   SECOND, zero
    call check_constants
    mod  0
    mul  qx, x, inv
    .declassify qx ; every job shows x of the multiple
    mul  l, l, inv
    add  l, l, qx
    mul  qy, qx, l              ; x (lambda + x)
    mul  t1, qx, qx
    add  t3, qx, a
    mov  inv, one_p             ; b
    add  t2, qx, qy
    mula inv, t1, t3
    mula inv, qy, t2            ; x^2 (x + a) + 1 + y (y + x)
    mul  inv, inv, z            ; 0 for infinity
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    .declassify inv ; it is 0
    mov  zs, z
    jmp  forget_frobenius
