; Scalar multiplication by the ladder of Lopez and Dahab: (qx, qy) = k (px, py). public_mul: of public scalars, without entropy.
;
; in    slot SCALAR = k < 2^bits(N), secret; px, py a point of the curve other than infinity; modulus 0 selected
; out   qx, qy; Z = the result is infinity, and qx, qy mean nothing. SCALAR is left to the caller, DRAW is wiped
; cost  a step of the unit a bit, an inversion, 15 M; blinded 64 bits more
; eccelerate/model/lopez_dahab.py has the formulas: the ladder has no exceptions, the recovery of y has those below.
.routine scalar_mul
.in px py
.out qx qy inv xs zs xd zd t1 t2 t3 old
.reg t, u, blind, wide, x1, z1, x2, z2, zz, num, w, ny
    br   !FBLIND, .randomise

    ; blinded: k + rho N < 2^(bits(N) + 64), rho of 64 random bits
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
    setc c0, NBITS+63
    jmp  .draw

.randomise:
    setc c0, NBITS-1
.draw:
    rnd  DRAW
    ld   zs, DRAW
    .assume zs modp ; ld takes the coefficients below z^m
    mov  t, zs
    setp 0
    setb Z
    csel zs, zs, one_p

    ; D = 0 P = (r : 0), S = P = (x r : r)
ladder_start:
    .assume px modp ; by contract
    .assume py modp ; by contract
    mul  xs, px, zs
    mov  xd, zs
    mul  t2, zs, zs
    add  zd, zs, zs
ladder_step:
    ldbx SCALAR, c0
    step
    loop c0, ladder_step
    setc c3, 8
    call first_row              ; while the last step is made

    ; Q1 = k P = (x1 : z1), Q2 = (k + 1) P
    setb P
    csel z1, zd, zs
    csel z2, zs, zd
    csel x1, xd, xs
    csel x2, xs, xd
    mul  zz, z1, z2
    mul  u, px, z1
    mul  num, px, z2
    mul  inv, px, zz
    mul  w, px, px
    add  x2, x2, num            ; Z2 (X(Q2) + x)
    mul  num, num, x1           ; x X1 Z2
    add  w, w, py
    add  x1, x1, u              ; Z1 (X(Q1) + x)
    add  ny, px, py
    mul  w, w, zz
    mula w, x1, x2              ; Z1 Z2 ((X1 + x) (X2 + x) + x^2 + y)
    mov  t, zz
    setb Z                      ; Z1 Z2 = 0, as always for x = 0: -P if it is not infinity
    csel qx, zero_p, px
    csel qy, py, ny
    call invert_rows            ; 1 / (x Z1 Z2), or 0
    .assume inv modp ; invert
    mula qx, num, inv           ; X(Q1) / Z1
    mul  w, w, inv
    add  u, px, qx
    mula qy, u, w
    mov  t, z1
    ret
public_mul:
    setc c0, NBITS-1
    setp 0
    mov  zs, one_p
    jmp  ladder_start
