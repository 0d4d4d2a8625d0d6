; A random field element other than 0, for the projective representation.
; out   qx = M(r), r in [1, p); modulus p selected
.routine random_unit
.out qx
.reg t
    mod  0
    rnd  DRAW
    ld   t, DRAW
    wipe DRAW
    mul  t, t, r2p              ; M(r)                    < p
    iadd qx, t, zero            ; Z = (r is 0)
    setb Z
    csel qx, t, one_p
    .assume qx modp ; both choices are below p
    ret
