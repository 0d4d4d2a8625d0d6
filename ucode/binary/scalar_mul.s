; Scalar multiplication by the ladder of Lopez and Dahab: (qx, qy) = k (px, py). public_mul is the same for public scalars,
; without entropy.
; in    slot SCALAR = k < 2^bits(N), secret, loaded by load_scalar; px, py is a point of the curve other than infinity;
;       affine_sums; modulus 0 selected
; out   qx, qy; Z = the result is infinity, in which case qx, qy have no meaning. The caller erases SCALAR; DRAW is wiped.
; cost  bits(N) + 1 steps of the unit, an inversion, 18 M; with blinding 64 steps more, and at least 15 cycles a step
; The formulas are in eccelerate/model/lopez_dahab.py. The ladder has no exceptional cases; those of the recovery of y are
; described below.

; zs = a random element other than 0.
.macro draw_zs
    rnd  DRAW
    ld   zs, DRAW
    .assume zs modp ; ld takes the coefficients below z^m
    mov  zs, zs
    setb Z
    csel zs, zs, one_p
.endmacro
; D = P = (x r : r), S = 2 P = ((x^4 + b) r^2 : x^2 r^2) for r = zs. The steps that follow start below the top bit of the
; scalar, which is known to be set.
.macro start_ladder
    .reg double
    .assume px modp ; by contract
    .assume py modp ; by contract
    mul  t2, zs, zs
    mul  double, square, square
    mul  xd, px, zs
    mov  zd, zs
    mul  zs, square, t2
    add  double, double, b
    mul  xs, double, t2
    mul  t2, xd, zs
.endmacro
; inv = x Z1 Z2, where Q1 = k P = (X1 : Z1) and Q2 = (k + 1) P = (X2 : Z2)
.macro ladder_denominator
    mul  old+1, zs, zd
    mov  old+2, zero_p
    mul  inv, px, old+1
    mov  old+3, zero_p
.endmacro
; k P from the inverse of inv. The inverse is 0 if x Z1 Z2 = 0, which is always so for x = 0: then k P is -P or infinity.
; Z = k P is infinity. B = Q1 is S and Q2 is D; otherwise Q1 is D and Q2 is S.
.macro ladder_point
    csel old, zs, zd            ; Z2
    mul  t1, square, old+1      ; x (x Z1 Z2)
    mula xs, px, zs             ; X + x Z of both points
    mula xd, px, zd
    mul  t2, px, old
    mul  t3, square_y, old+1
    csel old, xd, xs            ; X1 + x Z1
    mov  old+1, zero_p
    mula t3, xs, xd             ; Z1 Z2 ((X1 / Z1 + x) (X2 / Z2 + x) + x^2 + y)
    mul  t2, t2, old            ; x Z2 (X1 + x Z1)
    mov  xs, zero_p
    mul  t2, t2, inv            ; X1 / Z1 + x, or 0
    mov  xd, zero_p
    mula t1, t2, t3
    add  qx, px, t2
    mov  t3, zero_p
    mula qy, t1, inv            ; x + y + x, or + 0, + t2 t3 / (x Z1 Z2)
    mov  t2, zero_p
    mov  old, zero_p
    mov  t1, zero_p
    mov  inv, zero_p
    csel zs, zd, zs             ; Z1
.endmacro
.routine scalar_mul
; public_mul needs no affine_sums.
.in px py scalar square square_y qy
.out qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y
.reg t, blind, wide
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

    ; blinded: 2^64 multiple + k + rho N, rho of 64 random bits
ladder_blinded:
    mod  1
    rnd  DRAW
    movl blind, multiple
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
    ld   scalar, DRAW           ; 0: each step takes its bit from the slot
    .assume scalar modp ; 0
    draw_zs
    start_ladder
    setc c0, NBITS+64
    setp 0
.step:
    ldbx SCALAR, c0
    step
    loop c0, .step
    wipe DRAW
    jmp  ladder_recover
