; Scalar multiplication by a regular ladder on any short Weierstrass curve: (qx, qy) = k (px, py).
;
; With the flag CHECK it is done twice, with other random numbers, and the results are compared.
; in    k in [0, N), integer, secret; px, py = M(x), M(y) of a point on the curve
; out   qx, qy integers; B = the result is infinity (k = 0), encoded as 0, 0. A point of small order ends the job with
;       EXCEPTIONAL, and an error with FAULT: the result is on the curve, and the bits of the scalar were those of k.
; cost  8 M + 3 S + 7 A + 2 selections a bit (ladder_steps.s)
; After M. Hamburg, "Faster Montgomery and double-add ladders for short Weierstrass curves", CHES 2020 (8M + 3S + 7A);
;       the formulas below are derived in docs/ladder.md.
;
; State for collinear points P + Q + R = 0, Q = k' P, one Z for all, never computed:
;   xa, xd   X_Q - X_P and X_R - X_P in the order "added, doubled" of the step before
;   m2       2 Z times the slope of the line          y2 = 2 Y_P
; Exceptions: the ladder breaks down when a prefix k' of the scalar is 0 or -1 modulo the order of P. The scalar used
; (encode_scalar.s) is even and starts with a multiple of N: only k = 0 and k = +-1 are left for odd N (docs/ladder.md), and
; they are answered from P itself.
.slot FIRST_X = 6               ; with CHECK, the first result: no operands of the jobs that multiply
.slot FIRST_Y = 7
.routine scalar_mul
.in k px py
.out qx qy
.clobber k base exponent unit jx jy jz sx sy encoded even
.reg t, u, z, bits
.reg xa, xd, m2, y2, ad, ot, d, d2, w, v, v2, e, u2, nn, f, s
.reg xa0, xd0, m20, w0, n0       ; the other state of first_step
    setc c2, 1                  ; with CHECK, how often it is still to be computed
multiply_again:
    call random_unit            ; qx = M(r)
    .assume qx modp ; random_unit
    br   !FBLIND, .encode
    rnd  DRAW
.encode:
    call encode_scalar
    movl bits, encoded          ; to be compared in the end
    st   SCALAR, encoded
    movl encoded, zero
    setc c0, NBITS-1
    br   !FBLIND, .start
    setc c0, NBITS+65

.start:
    ; Q = P, R = -2P: the line is the tangent at P, Z = 2 y r with r random
    mul  t, px, px
    add  u, t, t
    add  t, u, t
    add  t, t, a                ; 3 x^2 + a
    mul  m2, t, qx              ; M = (3 x^2 + a) r
    add  u, py, py
    mul  z, u, qx               ; Z = 2 y r
    mul  xd, m2, m2
    add  m2, m2, m2
    mul  t, z, z                ; Z^2
    mul  w, u, t                ; 2 y Z^2
    mul  t, px, t               ; x Z^2
    add  u, t, t
    add  t, u, t
    sub  xd, xd, t              ; X_R - X_P = M^2 - 3 x Z^2
    mov  nn, z                  ; y2 = w nn = 2 y Z^3
    .assume nn modp ; copy of z
    setp 1
first_ladder_step:
    first_step
    loop c0, ladder_step

ladder_step:
    ldbx SCALAR, c0             ; B = bit differs from the one before: double the point that was added
    csel ad, xd, xa
    csel ot, xa, xd
    .assume ad modp ; one of two canonical values
    .assume ot modp ; one of two canonical values
    step ad, ot
    loop c0, ladder_step

    setb P
    csel ad, xd, xa             ; X_Q - X_P
    csel ot, xa, xd             ; X_R - X_P
    .assume ad modp ; one of two canonical values
    .assume ot modp ; one of two canonical values
    mul  y2, w, nn

    ; The ladder has taken the bits of k: they are made once more. Nothing else has changed k or the draw.
    call encode_scalar
    wipe SCALAR
    isubl bits, bits, encoded
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    wipe DRAW
    movl bits, zero
    movl encoded, zero

    ; 1/Z from the known P: Z^2 : Z^3 where x != 0, Z^4 : Z^3 where x = 0
    ;   3 x Z^2 = M^2 - XQ - XR,   2 y Z^3 = y2,   (3 x^2 + a) Z^4 = M y2 + XQ XR
    add  t, ad, ot
    mul  u, m2, m2
    add  t, t, t
    add  t, t, t
    sub  u, u, t                ; 12 x Z^2
    mul  u, u, py
    add  u, u, u                ; numerator   2 y * 12 x Z^2
    mul  t, px, y2
    add  t, t, t
    add  e, t, t
    add  t, e, t
    add  t, t, t                ; denominator 12 x * 2 y Z^3
    mul  v, a, y2               ; x = 0: numerator a * 2 y Z^3
    mul  w, ad, ot
    mul  e, m2, y2
    add  w, w, w
    add  e, e, w                ; 2 (M y2 + XQ XR) = 2 a Z^4
    mul  e, e, py               ;        denominator 2 a Z^4 * y
    iadd d, px, zero
    setb Z
    csel d, u, v
    csel base, t, e
    .assume d modp ; one of two canonical values
    .assume base modp ; one of two canonical values
    call fermat_inverse
    mul  base, base, d          ; 1/Z
    mul  t, base, base
    mul  u, ad, t               ; x_Q - x_P
    half m2, m2
    mul  t, m2, base            ; slope
    mul  t, t, u
    add  qx, px, u
    add  qy, py, t

    ; k = 0, k = +-1 and small orders
    isub v, ord, one
    isub t, v, even
    setb Z                      ; even = N - 1
    iadd t, even, zero
    setb B|Z                    ; or k = 0: answered below
    setb !B
    iadd t, y2, zero
    setb B&Z                    ; else Z = 0 is an exception
    .declassify B ; only points of small order reach this, the status says so
    br   B, .exceptional
    isub t, v, even
    setb Z                      ; even = N - 1: -P
    csel qx, qx, px
    sub  t, px, px
    sub  t, t, py
    csel qy, qy, t
    .assume qx modp ; one of two canonical values
    .assume qy modp ; one of two canonical values
    st   SCALAR, k
    setc c1, 0
    ldb  SCALAR, c1
    wipe SCALAR
    sub  t, qy, qy
    sub  t, t, qy
    csel qy, qy, t              ; k odd: the scalar was N - k
    .assume qy modp ; one of two canonical values
    mul  qx, qx, one
    mul  qy, qy, one
    mul  u, qx, r2p             ; y^2 = x (x^2 + a) + b
    mul  v, qy, r2p
    mul  t, u, u
    mul  v, v, v
    add  t, t, a
    mul  t, t, u
    add  t, t, b
    isub t, t, v
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    iadd t, even, zero
    setb Z                      ; k = 0
    csel qx, qx, zero
    csel qy, qy, zero
    br   !FCHECK, .done
    loop c2, .check
    ld   t, FIRST_X
    isub t, t, qx
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    ld   t, FIRST_Y
    isub t, t, qy
    .declassify Z ; only an error makes it differ
    br   !Z, fault
.done:
    wipe FIRST_X
    wipe FIRST_Y
    ret
.check:
    st   FIRST_X, qx
    st   FIRST_Y, qy
    jmp  multiply_again
.exceptional:
    call refuse
    done EXCEPTIONAL, 0
