; The ladder itself: bits of slot SCALAR from bit c0 down, base u = px, randomiser qx. It starts at infinity and u, so the
; operands of its steps are 0 until the first bit that is 1. A caller with a secret scalar has to know that bit c0 is 1.
; in    px = M(u), qx = M(r), c0;  out qx = X, qy = Z of k u
.routine montgomery_ladder
.in px qx
.out qx qy
.reg xs, zs, xd, zd, x3, z3, s, d, t, u
    mod  0
    mov  xd, qx                 ; "doubled" point k' u = infinity, (r : 0)
    .assume xd modp ; copy
    sub  zd, xd, xd
    mul  x3, px, qx             ; the other one: u, (u r : r)
    mov  z3, qx
    .assume z3 modp ; copy
    setp 0
ladder_step_x:
    ldbx SCALAR, c0             ; swap when the bit changes
    csel zs, zd, z3
    csel z3, z3, zd
    csel xs, xd, x3
    csel x3, x3, xd
    .assume xs modp ; one of two canonical values
    .assume x3 modp ; one of two canonical values
    .assume zs modp ; one of two canonical values
    .assume z3 modp ; one of two canonical values
    add  s, xs, zs              ; A
    sub  d, xs, zs              ; B
    add  t, x3, z3              ; C
    sub  u, x3, z3              ; D
    mul  t, t, d                ; CB
    mul  u, u, s                ; DA
    mul  s, s, s                ; AA
    mul  d, d, d                ; BB
    add  x3, u, t
    sub  z3, u, t
    mul  x3, x3, x3
    sub  t, s, d                ; E
    mul  z3, z3, z3
    mul  u, t, a                ; a24 E
    mul  xd, s, d
    add  u, u, d                ; BB + a24 E
    mul  z3, z3, px
    mul  zd, t, u
    loop c0, ladder_step_x
    setb P
    csel qx, xd, x3
    csel qy, zd, z3
    .assume qx modp ; one of two canonical values
    .assume qy modp ; one of two canonical values
    ret
