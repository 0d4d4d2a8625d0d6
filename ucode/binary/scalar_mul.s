; Scalar multiplication by the ladder of Lopez and Dahab: (qx, qy) = k (px, py). public_mul is the same for public scalars,
; without entropy; shares_mul for blinded jobs whose scalar is part + part2 modulo n, if `short` is not 0.
; in    slot SCALAR = k < 2^bits(N), secret, loaded by load_scalar; px, py is a point of the curve other than infinity;
;       affine_sums; draw_z; modulus 0 selected. shares_mul: the two lowest bits of SCALAR are those of k.
;       c3 = 0 in a blinded job: the scalar has to be the nonce
; out   qx, qy; Z = the result is infinity, in which case qx, qy have no meaning. The caller erases SCALAR; DRAW is wiped.
;       An error ends the job with FAULT: the result is on the curve, and the bits of the scalar were those of k. With the flag
;       CHECK, k P is computed twice, with other random numbers.
; cost  bits(N) + 1 steps of the unit, an inversion, 20 M; with blinding 91 steps more, and at least 15 cycles a step
; The formulas are in eccelerate/model/lopez_dahab.py. The ladder has no exceptional cases; those of the recovery of y are
; described below.
.slot FIRST_X = 6               ; with CHECK, the first result: no operands of the jobs that multiply
.slot FIRST_Y = 7

; z = zd, or 1 if Z says that it is 0.
.macro not_zero z
    setb Z
    csel z, zd, one_p
.endmacro
; D = P = (x r : r), S = 2 P = ((x^4 + b) r^2 : x^2 r^2) for r = zd. The steps that follow start below the top bit of the
; scalar, which is known to be set.
.macro start_ladder
    .assume px modp ; by contract
    .assume py modp ; by contract
    mul  xs, zd, zd
    mul  xd, px, zd
    mul  xs, xs, b
    mul  zs, xd, xd
    mula xs, square, zs
    mul  t2, xd, zs
.endmacro
; inv = x Z1 Z2, where Q1 = k P = (X1 : Z1) and Q2 = (k + 1) P = (X2 : Z2)
.macro ladder_denominator
    mul  old+1, zs, zd
    mul  inv, px, old+1
.endmacro
; k P from the inverse of inv. The inverse is 0 if x Z1 Z2 = 0, which is always so for x = 0: then k P is -P or infinity, and
; qx, qy are those of -P. B = Q1 is S and Q2 is D; otherwise Q1 is D and Q2 is S.
.macro ladder_point
    csel old, zs, zd            ; Z2
    mula xs, px, zs             ; X + x Z of both points
    mula xd, px, zd
    mul  t2, px, old
    csel old, xd, xs            ; X1 + x Z1
    mul  t3, square_y, old+1
    mul  t2, t2, old            ; x Z2 (X1 + x Z1)
    mula t3, xs, xd             ; Z1 Z2 ((X1 / Z1 + x) (X2 / Z2 + x) + x^2 + y)
    mul  t2, t2, inv            ; X1 / Z1 + x, or 0
    mul  t1, square, old+1      ; x (x Z1 Z2)
    mula t1, t2, t3
    add  qx, px, t2
    .declassify qx ; every job with a secret scalar shows x of the multiple
    .declassify t2 ; it is qx + px
    mula qy, t1, inv            ; x + y + x, or + 0, + t2 t3 / (x Z1 Z2)
.endmacro
; Z = k P is infinity. Erases the registers that hold a secret, except for zs, which is Z1, and zd.
;
; The job ends with FAULT if the result is not on the curve. This also shows a change of a constant: the left side minus the
; right one is that of P, times (x1 / x)^2. So a point P with a changed coordinate, or a changed a, gives a result that is not
; on the curve, and with another b or c the difference of Q1 and Q2 is not P.
.macro checked_point
    mul  t1, qx, qx
    add  old, qx, a
    mov  xs, zero_p
    mul  t3, t1, old            ; x^2 (x + a), x y and y^2
    mov  old+1, zero_p
    mula t3, qx, qy
    mov  old+2, zero_p
    mula t3, qy, qy
    mov  old+3, zero_p
    mov  xd, zero_p
    add  inv, t3, b
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    .declassify inv ; it is 0
    .declassify t3 ; it is b
    csel zs, zd, zs             ; Z1
.endmacro
.routine public_mul
.in px py scalar qy
.out qx qy inv xs zs xd zd t1 t2 t3 old square square_y
    affine_sums
    mov  zd, one_p
    start_ladder
    .assume scalar modp ; these are bits, not an element
    steps
    setc c0, 0
    ldb  SCALAR, c0
    ladder_denominator
    recip
ladder_end:
    ladder_point
ladder_result:
    checked_point
    ret

; From the first step on.
.routine ladder_finish
.in px py scalar square square_y zd
.out k part part2 qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y sx
.reg t
    mod  1                      ; while the ladder runs: the slot keeps the scalar
    ld   part, SCALAR
    call check_constants
    ld   t, SCALAR
    isub part, t, part
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    .declassify part ; it is 0
    isub part2, zero, zero
    isub t, zero, zero
    isub k, zero, zero
    wipe DRAW
    setc c0, 0
ladder_wait:
    mod  0
    ladder_denominator
ladder_recip:
    recip
    ldb  SCALAR, c0
    jmp  ladder_end

; One multiplication of those with CHECK or BLIND.
.routine ladder_pass
.in px py scalar square square_y qy part part2 zd
.out k n part part2 high low qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y sx
.reg wide
    mov  zd, zd
    not_zero zd
    start_ladder
    br   FBLIND, ladder_blinded
    .assume scalar modp ; these are bits, not an element
    begin_steps
    jmp  ladder_finish

ladder_blinded:
    ld   scalar, BLIND          ; 0: each step takes its bit from a slot
    .assume scalar modp ; 0
    rnd  DRAW
    mod  1
    .assume part int ; of the caller
    .assume part2 int ; of the caller
    .assume nonce int ; if there is one
    isub t, n, order            ; encode_scalar writes n: an error in it must not get lost
    br   !Z, fault
    iadd t, short, zero
    br   !Z, .encode
    encode_other
    mod  0
    setp 0
    setc c0, NBITS+92
    jmp  .low
.encode:
    call encode_scalar
    st   BLIND, high
    st   SCALAR, low
    isub high, zero, zero
    isub low, zero, zero
    mod  0
    setp 0
    setc c0, 91
.high:
    ldbx BLIND, c0
    step
    loop c0, .high
    setc c0, NBITS-1
.low:
    ldbx SCALAR, c0
    step
    loop c0, .low
    ; P is the lowest bit, which is that of k, since N is even: a random bit hides which of the points is k P.
    setc c1, RBITS
    ldbx DRAW, c1
    csel t1, xs, xd
    csel xd, xd, xs
    mov  xs, t1
    csel t1, zs, zd
    csel zd, zd, zs
    mov  zs, t1
    ladder_denominator
    begin_recip
    mod  1                      ; while the inversion runs: the bits were those of the scalar
    iadd t, short, zero
    br   Z, .slow
    ld   wide, BLIND
    call encode_scalar
    isub wide, wide, high
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    ld   wide, SCALAR
    isub wide, wide, low
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    jmp  .same
.slow:
    ld   wide, SCALAR
    isub wide, wide, high
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    st   SCALAR, part
.same:
    wipe BLIND
    isub high, zero, zero
    isub low, zero, zero
    movl wide, zero
    loop c3, .not_nonce
    isub t, part, nonce
    .declassify Z ; only an error makes it differ
    br   !Z, fault
.not_nonce:
    call check_constants
    isub part, zero, zero
    isub part2, zero, zero
    isub k, zero, zero
    mod  0
    setc c1, RBITS
    ldb  DRAW, c1
    wipe DRAW
    jmp  ladder_end

; CHECK. Z = infinity, for which both results are (0, 0).
.macro take_result
    setb Z
    csel qx, qx, zero_p
    csel qy, qy, zero_p
.endmacro
.routine ladder_twice
.in px py scalar square square_y qy part part2 zd
.out k base spare n part part2 high low qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y sx added
    mod  1
    .assume part int ; of the caller
    .assume part2 int ; of the caller
    mov  spare, part
    mov  base, part2
    mod  0
    call ladder_pass
    take_result
    st   FIRST_X, qx
    st   FIRST_Y, qy
    mod  1
    mov  part, spare
    mov  part2, base
    isub spare, zero, zero
    isub base, zero, zero
    setc c0, NBITS+1            ; what is added to the bits: anew, since an error in it would stay
    call power_of_two
    isub sx, multiple, sx
    st   PUBLIC, sx
    mod  0
    ld   added, PUBLIC
    .assume added modp ; these are bits, not an element
    load_scalar
    affine_sums
    draw_z
    call ladder_pass
    take_result
    ld   t, FIRST_X
    .assume t modp ; as it was stored
    add  t, t, qx
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    ld   t, FIRST_Y
    .assume t modp ; as it was stored
    add  t, t, qy
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    wipe FIRST_X
    wipe FIRST_Y
    mov  t, zero_p
    mov  zs, zs
    ret

.routine scalar_mul
.in px py scalar square square_y qy zd
.out k base spare n part part2 high low qx qy inv xs zs xd zd t1 t2 t3 old scalar square square_y sx added
    br   FBLIND, scalar_reduce
    br   FCHECK, ladder_twice
    not_zero zd
ladder_start:
    start_ladder
ladder_step:
    .assume scalar modp ; these are bits, not an element
    begin_steps
    jmp  ladder_finish
scalar_reduce:
    mod  1
    ld   part, SCALAR
    mul  part, part, r2n
    mul  part, part, one        ; k modulo n
    isub part2, zero, zero
    mod  0
shares_mul:
    br   FCHECK, ladder_twice
    jmp  ladder_pass
