; k G for the nonce of a signature, of which only x is needed: (qx) = x of nonce G, an integer.
; in    nonce in [1, n), modulus n selected
; out   qx integer, also in slot PUBLIC; spare = 0, unless another scalar was multiplied; modulus n selected. The caller wipes
;       SCALAR and NONCE.
; base_mul_and_invert computes base = M(1/nonce) at the same time. There is neither BLIND nor CHECK.
; cost  as the inversion modulo n, which takes longer than the ladder
.macro keep_x
    setb Z
    csel qx, qx, zero_p
    .declassify qx ; the signature shows it modulo n
    mov  zs, zero_p
    mov  zd, zero_p
    mov  qy, zero_p
    st   PUBLIC, qx
    mod  1
    ld   qx, PUBLIC
.endmacro
.routine base_mul_and_invert
.in nonce
.clobber exponent
.out qx qy inv base power power2 power3 power5 power7 scalar square square_y xs zs xd zd t1 t2 t3 old px py spare
    st   NONCE, nonce
    mod  0
    setc c3, NBITS
    ld   scalar, NONCE
    select_base_point
    affine_sums
    draw_z
    not_zero zd
    start_ladder
nonce_steps:
    .assume scalar modp ; these are bits, not an element
    begin_steps
    mod  1
    begin_inverse nonce
    wipe DRAW                   ; while the ladder runs
    setc c2, 1
    call invert_n_in_background        ; returns when the last step is done
    mod  0
    ladder_denominator
    begin_recip
    mod  1
    call modexp_resume
    mod  0
    setc c3, 0
    ldb  NONCE, c3
    call ladder_end
    keep_x
    ld   spare, NONCE
    isub spare, spare, nonce
    ret
