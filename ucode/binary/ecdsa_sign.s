; ECDSA signature of a hash e given as an integer (FIPS 186-5), as shared/ecdsa_sign.s with fewer products.
; in    operands e, d, k in this order; an operand that a flag replaces is left out
;
; s = f (r (i d1 + i d2) + i e), where d1 + d2 is the key and i = 1/(nonce f). f is random with BLIND; else it is 1, and d2
; is 0. i comes first: no product by the public r has a secret that stays the same. Before the signature leaves, it is checked
; with its sources: (r + s) nonce = e + r (d1 + nonce) + r d2, where the nonce masks the key. This and all other differences are added:
; one error cannot make two of them that cancel.
.entry ECDSA_SIGN job_sign
.slot HASH = 3
.routine job_sign
.reg t, v, w
    br   MONT, bad_curve
    select_n
    br   FKEY, .key
    br   FRANDOM, .e_d
    chk  3
    ld   nonce, 2
    .secret nonce
    wipe 2
    jmp  .d
.e_d:
    chk  2
    mov  nonce, zero
.d:
    ld   k, 1
    .secret k
    call check_private
    call split_key
    jmp  .loaded
.key:
    br   !KEY, no_key
    br   !PERMIT, key_refused
    br   FRANDOM, .e_only
    chk  2
    ld   nonce, 1
    .secret nonce
    jmp  .from_key
.e_only:
    chk  1
    mov  nonce, zero
.from_key:
    call load_key
.loaded:
    ld   t, 0                   ; e, of which the scalar takes the place
    st   HASH, t
    br   FRANDOM, .draw
    mov  k, nonce
    jmp  .nonce
.draw:
    hedge share, t
    call random_scalar
    iadd nonce, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.nonce:
    call check_private
    mov  nonce, k
    br   FBLIND, .multiply
    .assume share modn ; below n
    .assume mask modn ; below n
    add  share, share, mask
    isub mask, zero, zero
.multiply:
    br   FBLIND, .apart
    br   FCHECK, .apart
    call base_mul_and_invert
    mov  factor, one_n          ; not used
    .assume factor modn ; copy
    jmp  .multiplied
.apart:
    st   SCALAR, nonce
    mod  0
    load_scalar
    br   !FBLIND, .plain
    setc c3, 0                  ; scalar_mul compares the scalar with the nonce
.plain:
    call base_point_mul
    keep_x
    mov  spare, nonce
    br   FBLIND, .compared
    ld   spare, SCALAR
.compared:
    isub spare, spare, nonce
    call blinding_factor
    mul  base, nonce, factor
    call fermat_inverse_n
.multiplied:                    ; qx = x of k G, below 2^m; spare = 0; M(f); i
    .assume qx int ; below 2^m, not below n
    .assume base modn ; below n
    .assume share modn ; below n
    .assume mask modn ; below n
    ld   sx, HASH
    mul  v, qx, r2n             ; M(r) = x mod n
    mul  t, share, base         ; i d1
    mul  sx, sx, base           ; i e
    wipe SCALAR
    br   !FBLIND, .one_share
    mul  w, mask, base          ; i d2
    add  t, t, w
.one_share:
    mul  qx, v, one             ; r
    mul  t, t, v
    iadd qy, n, par
    iadd w, zero, one
    iadd qy, qy, one_n
    iadd w, w, r2n
    iadd spare, spare, qy
    isub w, w, constants_n
    add  qy, t, sx
    iadd spare, spare, w
    br   !FBLIND, .no_factor
    mul  qy, qy, factor
.no_factor:
    iadd t, qx, zero
    setb Z
    iadd t, qy, zero
    setb B|Z
    .declassify B ; r = 0 or s = 0 ends the job with RETRY
    br   B, retry

    ld   sx, HASH
    .assume nonce modn ; check_private
    .assume sx modn ; below R: the product with 1 is below n
    mul  sx, sx, one            ; each term over R
    add  w, qx, qy
    add  share, share, nonce
    mul  w, w, nonce            ; (r + s) nonce
    br   !FBLIND, .no_mask
    mul  mask, mask, qx         ; r d2
    add  sx, sx, mask
.no_mask:
    mul  share, share, qx       ; r (d1 + nonce)
    isub base, zero, zero
    isub t, zero, zero
    sub  w, w, sx
    sub  w, w, share
    iadd spare, spare, w
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    br   !FCHECK, .checked
    ld   t, PUBLIC              ; x
    .assume t int ; below 2^m, not below n
    mul  t, t, r2n
    isub t, t, v
    br   !Z, fault
.checked:
    isub share, zero, zero
    isub nonce, zero, zero
    isub mask, zero, zero
    isub factor, zero, zero
    isub k, zero, zero
    isub sx, zero, zero
    isub spare, zero, zero
    isub w, zero, zero
    call forget_job
    jmp  return_point
retry:
    call refuse
    done RETRY, 0
no_key:
    call wipe_operands
    done NO_KEY, 0
key_refused:                    ; The attributes of the key do not permit the job, or not with this nonce.
    call wipe_operands
    done KEY_REFUSED, 0
