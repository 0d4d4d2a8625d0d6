; Steps of scalar_mul in ladder.s, on the registers that it declares.
;
; One step: from w nn = 2 Y_P, m2, ad = X - X_P of the point that is doubled and ot = X - X_P of the other one, to y2 and the
; next xa, xd, m2, w, nn. ad and ot may be xd and xa. The order of operations leaves few products waiting.
.macro step ad, ot
    mul  y2, w, nn              ; 2 Y_P
    mul  t, m2, ad
    sub  d, ot, ad
    add  t, t, y2               ; T = 2 Y of the doubled point
    mul  d2, d, d
    mul  w, t, t                ; W = T^2
    mul  v, ad, d2              ; V = A D^2
    mul  e, d, t                ; E = D T
    mul  v2, v, v
    mul  u2, m2, e              ; 2U = 2 M D T
    mul  nn, e, y2
    sub  f, v, w
    add  s, u2, w
    mul  nn, d2, nn             ; N = D^3 T 2Y_P
    add  f, f, f
    mul  xa, w, s               ; W (2U + W)
    add  xd, v2, nn             ; V^2 + N
    sub  m2, f, u2              ; 2 (V - W - U)
.endmacro
; The first step, from Q = P and R = -2P, where X_Q - X_P = 0. It is computed for both values of the bit, and the bit then
; selects one of two states in which nothing is 0: neither the operands nor the operations depend on the bit.
;   bit 0   doubles Q, so A = 0, D = X_R - X_P, T = 2 Y_P and V = 0. Its state has w nn = W N as two other factors than
;           `step` leaves, W D^2 and D T 2Y_P, since the factor N would be the same number as xd.
;   bit 1   doubles R, so A = X_R - X_P and D = -A.
; in    xd = X_R - X_P, m2, w nn = 2 Y_P, P = 1 and c0 as in the loop;  out  xa, xd, m2, w, nn
; cost  7 M more than one step
.macro first_step
    mul  y2, w, nn
    mul  d2, xd, xd             ; D^2
    mul  e, xd, y2              ; D T
    mul  w0, y2, y2             ; W = T^2
    mul  u2, m2, e              ; 2U
    mul  n0, e, y2              ; D T 2Y_P
    add  s, u2, w0
    sub  xa, xd, xd             ; 0
    mul  xa0, w0, s             ; W (2U + W)
    add  f, s, w0
    mul  xd0, d2, n0            ; N = V^2 + N
    sub  m20, xa, f             ; -2 (W + U)
    mul  w0, w0, d2
    step xd, xa
    ldbx SCALAR, c0             ; B = the bit is 0
    csel xa, xa, xa0
    csel xd, xd, xd0
    csel m2, m2, m20
    csel w, w, w0
    csel nn, nn, n0
    .assume xa modp ; one of two canonical values
    .assume xd modp ; one of two canonical values
    .assume m2 modp ; one of two canonical values
    .assume w modp ; one of two canonical values
    .assume nn modp ; one of two canonical values
.endmacro
