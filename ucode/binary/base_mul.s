; k G for the nonce k of a signature, of which only x is needed, as an integer. 1/k modulo n is computed at the same time.
;
; in    k in [1, n), modulus n selected
; out   qx integer, base = M(1/k), modulus n selected; k is lost
; cost  as the inversion modulo n, which takes longer than the ladder; for a blinded job the sum of both
.macro keep_x
    setb Z
    csel qx, qx, zero_p
    .declassify qx ; the signature shows it modulo n
    st   SCALAR, qx
    mov  zs, zero_p
    mov  zd, zero_p
    mov  qy, zero_p
.endmacro
.routine base_mul_and_invert
.in k
.clobber exponent
.out k qx qy inv base power power2 power3 power5 power7 scalar square square_y xs zs xd zd t1 t2 t3 old px py
.reg t
    st   SCALAR, k
    mod  0
    load_scalar
    br   FBLIND, nonce_blinded
    select_base_point
    affine_sums
    draw_zs
    start_ladder
nonce_steps:
    .assume scalar modp ; these are bits, not an element
    begin_steps
    mod  1
    begin_inverse k
    wipe DRAW                   ; while the ladder runs
    isub k, k, k
    setc c2, 1
    call invert_n_in_background        ; returns when the last step is done
    mod  0
    ladder_denominator
    begin_recip
    mod  1
    call modexp_resume
    mod  0
    setc c3, 0
    ldb  SCALAR, c3
    ladder_point
    keep_x
    mod  1
    ld   qx, SCALAR
    ret
nonce_blinded:
    call base_point_mul
    keep_x
    mod  1
    mov  base, k
    isub k, k, k
    call fermat_inverse_n
    ld   qx, SCALAR
    ret
