; Montgomery ladder on the u-coordinate (RFC 7748), complete: every u < p, every k < 2^bits(N); k arrives clamped.
; cost  5 M + 4 S + 1 M by a24 = (A + 2) / 4 a bit. Point (X3 : Z3) is randomised.
.entry X_LADDER job_x_ladder
.routine job_x_ladder
.reg x2, z2, x3, z3, c, d, e, f, g, h, t
    br   !MONT, bad_curve
    chk  2
    ld   k, 0
    .secret k
    wipe 0
    isub t, k, ord
    setb C
    isub t, t, ord_gap
    setb B|C                    ; k < 2^bits(N)
    .declassify B ; whether the scalar is in range is the status
    br   !B, scalar_range
    ld   px, 1
    isub t, px, p
    br   !C, coord_range
    st   SCALAR, k
    isub k, zero, zero
    call random_unit
    .assume qx modp ; random_unit
    mul  px, px, r2p
    call montgomery_ladder
    wipe SCALAR
    iadd t, qy, zero
    .declassify Z ; infinity is the status
    br   Z, .infinity
    mov  base, qy
    .assume base modp ; copy of qy
    call fermat_inverse
    .assume base modp ; below p
    mul  qx, qx, base
    mul  qx, qx, one
    .declassify qx ; the result of the job
    st   0, qx
    done OK, 1
.infinity:
    wipe 0
    done INFINITY, 1
