; ECDSA signature of a hash e given as an integer (FIPS 186-5).
; in    operands e, d, k in this order; an operand that a flag replaces is left out
;
; s = f i (e + r d1 + r d2), where d1 + d2 is the key, f random (1 without BLIND) and i = 1/(nonce f). Each summand is multiplied
; by i first, so that no product by the public r has a secret that stays the same. Before the signature leaves, the same is
; computed again from e, r and the shares: s (nonce i) = i e + i r d1 + i r d2.
.entry ECDSA_SIGN job_sign
.routine job_sign
.reg e, r, t, u
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
    br   FRANDOM, .draw
    mov  k, nonce
    jmp  .nonce
.draw:
    ld   e, 0
    hedge share, e
    call random_scalar
    iadd nonce, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.nonce:
    call check_private
    mov  nonce, k
    isub qx, zero, zero         ; r is 0 if k G is not computed
    multiply_nonce              ; qx = x of k G; M(f), i
    .assume share modn ; below n
    .assume mask modn ; below n
    .assume base modn ; below n
    ld   e, 0
    mul  r, qx, r2n             ; M(r) = x mod n
    br   Z, retry
    mul  t, share, base         ; i d1
    mul  u, e, base             ; i e
    mul  t, t, r
    add  u, u, t
    mul  t, mask, base          ; i d2
    mul  t, t, r
    add  t, u, t
    mul  qy, t, factor          ; s
    .declassify Z ; s = 0 ends the job with RETRY
    br   Z, retry

    mul  t, qx, r2n
    ld   e, 0
    isub u, t, r
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    mul  qx, r, one             ; r
    mul  nonce, nonce, base
    mul  t, e, base
    mul  nonce, nonce, r2n
    mul  u, share, base
    mul  nonce, nonce, qy       ; s nonce i
    mul  u, u, r
    sub  nonce, nonce, u
    mul  u, mask, base
    sub  nonce, nonce, t
    mul  u, u, r
    mul  t, qx, r2n
    isub u, u, nonce
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    isub u, t, r
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    verify_key
    isub share, zero, zero
    isub mask, zero, zero
    isub factor, zero, zero
    isub nonce, zero, zero
    isub base, zero, zero
    isub sx, zero, zero
    isub t, zero, zero
    isub u, zero, zero
    call check_constants
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
