; Montgomery ladder on the u-coordinate (RFC 7748), complete: every u < p, and every k with 2^(bits(p) - 1) <= k < 2^bits(p),
; the range of clamped scalars. Bit bits(p) - 1 is therefore the first one, and all steps but the first have random operands.
; A u with 8 u = infinity is answered with infinity before the ladder: its multiples have coordinates that are 0, so that
; the operands of a step would depend on the bits of k.
; cost  5 M + 4 S + 1 M by a24 = (A + 2) / 4 a bit. Point (X3 : Z3) is randomised.
.entry X_LADDER job_x_ladder
.routine job_x_ladder
.reg x, z, s, d, t
    br   !MONT, bad_curve
    chk  2
    ld   k, 0
    .secret k
    isub t, k, b                ; b = 2^(bits(p) - 1)
    setb !C
    isub t, t, b
    setb B&C
    .declassify B ; whether the scalar is in range is the status
    br   !B, scalar_range
    ld   px, 1
    isub t, px, p
    br   !C, .coord_range
    mod  0
    mul  px, px, r2p
    mov  x, px
    mov  z, one_p
    .assume x modp ; copy of px
    .assume z modp ; copy of one_p
    setc c0, 2
.double:
    add  s, x, z
    sub  d, x, z
    mul  s, s, s
    mul  d, d, d
    sub  t, s, d                ; E
    mul  x, s, d
    mul  z, t, a
    add  z, z, d                ; BB + a24 E
    mul  z, z, t
    loop c0, .double
    br   Z, .small_order
    st   SCALAR, k
    isub k, zero, zero
    call random_unit
    .assume qx modp ; random_unit
    setc c0, PBITS-1
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
    mov  qy, zero
    call forget_job
    st   0, qx
    done OK, 1
.small_order:
    isub k, zero, zero
.infinity:
    mov  qx, zero
    mov  qy, zero
    call forget_job
    wipe 0
    done INFINITY, 1
.coord_range:
    isub k, zero, zero
    jmp  coord_range
