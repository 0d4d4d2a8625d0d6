; ECDSA verification (FIPS 186-5). All operands are public. Variable time.
; in    operands: hash e, r, s, public key x, y
;
; R = (1/s) (e G + r Q). The multiples e G, r Q and n Q, which must be infinity, are computed at the same time as 1/s. With
; digits of 64 bits they take less time than 1/s. A signature by a Q outside the subgroup of order n is refused.

; Starts a ladder on px with the slot's scalar, which has at most bits(N) bits. square = px^2.
.macro begin_public_ladder slot
    setc c3, NBITS
    ld   scalar, slot
    mov  zd, one_p
    start_ladder
    .assume scalar modp ; these are bits, not an element
    begin_steps
.endmacro
; Computes 1/s until the unit for GF(2^m) is free.
.macro invert_in_background
    mod  1
    call modexp_resume
    mod  0
.endmacro
; (qx, qy) = the slot's multiple of (px, py); Z = it is infinity. The caller has made the affine_sums of (px, py).
.macro public_point slot
    ladder_denominator
    begin_recip
    invert_in_background
    setc c3, 0
    ldb  slot, c3
    call ladder_end
.endmacro
.entry ECDSA_VERIFY job_verify
.routine job_verify
.reg r, s, t, d, u
    chk  5
    mod  1
    ld   s, 2
    isub t, s, n
    br   !C, bad_signature
    iadd t, s, zero
    br   Z, bad_signature
    ld   r, 1
    isub t, r, n
    br   !C, bad_signature
    iadd t, r, zero
    br   Z, bad_signature
    st   PUBLIC, n
    mod  0
    load_element px, 3
    load_element py, 4
    curve_equation
    br   !Z, not_on_curve

    begin_public_ladder PUBLIC  ; n Q
    mod  1
    begin_inverse s
    setc c2, 6
    call invert_n_in_background
    mod  0
    mov  t, zs                  ; Z of n Q, because n is odd
    br   !Z, bad_signature

    begin_public_ladder 1       ; r Q
    invert_in_background
    public_point 1
    br   Z, bad_signature
    mov  jx, qx
    mov  jy, qy

    select_base_point
    affine_sums
    setc c3, NBITS
    ld   scalar, 0
    br   !C, .hash
    mod  1
    ld   t, 0
    mul  t, t, r2n
    mul  t, t, one
    st   0, t                   ; e modulo n
    mod  0
.hash:
    begin_public_ladder 0       ; e G
    invert_in_background
    public_point 0
    br   Z, .other
    add  d, qx, jx
    br   !Z, .chord
    mov  px, jx
    mov  py, jy
    call affine_add_var         ; the points are equal or opposite
    br   B, bad_signature
    mov  px, qx
    jmp  .sum
.other:
    mov  px, jx
    jmp  .sum
.chord:
    mov  inv, d
    begin_recip
    invert_in_background
    add  u, qy, jy
    mul  u, u, inv
    mul  t, u, u
    add  t, t, u
    add  d, d, a
    add  px, t, d               ; slope^2 + slope + x1 + x2 + a
.sum:
    mod  1
    setc c2, 0
    call modexp_resume
    .assume base modn ; below n
    mul  t, base, one           ; 1/s
    st   PUBLIC, t
    mod  0
    mul  square, px, px
    begin_public_ladder PUBLIC
    mod  1
    ld   r, 1
    mul  r, r, r2n              ; M(r)
    mod  0
    setc c3, 0
    ldb  PUBLIC, c3
    csel t, xd, xs
    csel inv, zd, zs
    recip
    mul  qx, t, inv             ; x of R, 0 for infinity
    st   SCALAR, qx
    mod  1
    ld   t, SCALAR
    .assume t int ; not below n
    mul  t, t, r2n              ; M(x mod n)
    isub t, t, r
    br   !Z, bad_signature
    done OK, 0
bad_signature:
    done BAD_SIGNATURE, 0
