; Scalar multiplication by the ladder of Lopez and Dahab: (qx, qy) = k (px, py). public_mul is the same for public scalars,
; without entropy.
; in    slot SCALAR = k < 2^bits(N), secret, loaded by load_scalar; px, py is a point of the curve other than infinity;
;       affine_sums; modulus 0 selected
; out   qx, qy; Z = the result is infinity, in which case qx, qy have no meaning. The caller erases SCALAR; DRAW is wiped.
; cost  one step of the unit for each bit, an inversion, 14 M; with blinding 64 bits more, and at least 15 cycles a step
; The formulas are in eccelerate/model/lopez_dahab.py. The ladder has no exceptional cases; those of the recovery of y are
; described below.

; zs = a random element other than 0.
.macro draw_zs
    rnd  DRAW
    ld   zs, DRAW
    .assume zs modp ; ld takes the coefficients below z^m
    mov  t, zs
    setb Z
    csel zs, zs, one_p
.endmacro
; D = 0 P = (r : 0), S = P = (x r : r)
.macro start_ladder
    .assume px modp ; by contract
    .assume py modp ; by contract
    mul  xs, px, zs
    mov  xd, zs
    mul  t2, zs, zs
    add  zd, zs, zs
.endmacro
; inv = x Z1 Z2, where Q1 = k P = (X1 : Z1) and Q2 = (k + 1) P = (X2 : Z2)
.macro ladder_denominator
    mul  zz, zs, zd
    mul  inv, px, zz
.endmacro
; k P from the inverse of inv. The inverse is 0 if x Z1 Z2 = 0, which is always so for x = 0: then k P is -P or infinity.
; Z = k P is infinity. B = Q1 is S and Q2 is D; otherwise Q1 is D and Q2 is S.
.macro ladder_point
    .reg t, u, v, w, x1, z2, num
    csel z2, zs, zd
    mul  num, px, z2
    mula xs, px, zs             ; X + x Z of both points
    mula xd, px, zd
    csel x1, xd, xs
    mul  num, num, x1           ; x Z2 (X1 + x Z1)
    mul  v, square, zz          ; x (x Z1 Z2)
    mul  w, square_y, zz
    mula w, xs, xd              ; Z1 Z2 ((X1 / Z1 + x) (X2 / Z2 + x) + x^2 + y)
    mul  u, num, inv            ; X1 / Z1 + x, or 0
    add  qx, px, u
    mula v, u, w
    mula qy, v, inv             ; x + y + x, or + 0, + u w / (x Z1 Z2)
    csel t, zd, zs              ; Z1
.endmacro
.routine scalar_mul
; public_mul needs no affine_sums.
.in px py scalar square square_y qy
.out qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y
.reg t, blind, wide, zz
    br   FBLIND, ladder_blinded
    draw_zs
ladder_start:
    start_ladder
ladder_step:
    .assume scalar modp ; these are bits, not an element
    steps
    wipe DRAW
ladder_recover:
    setc c0, 0
    ldb  SCALAR, c0
    ladder_denominator
ladder_recip:
    recip
    ladder_point
    ret
public_mul:
    affine_sums
    mov  zs, one_p
    jmp  ladder_start

    ; blinded: k + rho N < 2^(bits(N) + 64), rho of 64 random bits
ladder_blinded:
    mod  1
    rnd  DRAW
    movl blind, zero
    setc c1, 63
.rho:
    ldb  DRAW, c1
    iaddl blind, blind, blind
    caddl blind, blind, ord
    loop c1, .rho
    wipe DRAW
    ld   wide, SCALAR
    iaddl blind, blind, wide
    st   SCALAR, blind
    movl blind, zero
    movl wide, zero
    mod  0
    ld   scalar, DRAW           ; 0: the steps take their bits from the slot
    .assume scalar modp ; 0
    draw_zs
    start_ladder
    setc c0, NBITS+63
    setp 0
.step:
    ldbx SCALAR, c0
    step
    loop c0, .step
    wipe DRAW
    jmp  ladder_recover
