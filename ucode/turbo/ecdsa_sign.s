; ECDSA signature of a hash e given as an integer (FIPS 186-5).
; in    operands e, d, k in this order; an operand that a flag replaces is left out
.entry ECDSA_SIGN job_sign
.routine job_sign
.reg r40 = 40
.reg r41 = 41
.reg e, d, nonce, x, lo, mm, t
    br   FBLIND, refuse_blinding
    mov  nonce, one
    br   FKEY, .key
    br   FRANDOM, .e_d
    chk  3
    ld   nonce, 2
    .secret nonce
    wipe 2
    jmp  .d
.e_d:
    chk  2
.d:
    ld   k, 1
    .secret k
    jmp  .loaded
.key:
    br   !KEY, no_key
    br   !PERMIT, key_refused
    br   FRANDOM, .e_only
    chk  2
    ld   nonce, 1
    .secret nonce
    wipe 1
    jmp  .from_key
.e_only:
    chk  1
.from_key:
    ld   k, KEY
.loaded:
    call check_private
    .declassify B ; whether the key is in range is the status
    fail B, SCALAR_RANGE
    mov  d, k
    ld   k, 0
    call reduce_scalar
    mov  e, k
    mov  k, nonce
    br   !FRANDOM, .nonce
    hedge d, e
    call random_scalar
    iadd t, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    fail Z, RETRY
.nonce:
    call check_private
    .declassify B ; whether the nonce is in range is the status
    fail B, SCALAR_RANGE
    mov  nonce, k
    call random_unit
    call base_mul
    call to_affine
    .declassify jx ; r is part of the signature
    mont_n base, nonce, r2n
    call fermat_inverse_n       ; R / k
    mont_n_wipe x, jx, r2n, nonce, jy, pt, pt+1, pt+2, pt+3 ; x R mod n
    mont_n_wipe t, d, x, pt+4, pt+5, pt+6, pt+8, pt+9, pt+10 ; d r
    add_n t, t, e
    mont_n_wipe t, t, base, d, k, pt+11, pt+12, pt+13, pt+14 ; s = (e + d r) / k
    mont_n_wipe x, x, one, exponent, base, r40, r41, sx, sy ; r = x mod n
    .declassify t ; s is part of the signature
    iadd t, t, zero
    fail Z, RETRY
    iadd x, x, zero
    fail Z, RETRY
    st   0, x
    st   1, t
    forget_inverse_n
    forget_renamed
    done OK, 2
