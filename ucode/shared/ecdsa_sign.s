; ECDSA signature of a hash e given as an integer (FIPS 186-5).
; in    as shared/sign_operands.s leaves it
;
; s = f i (e + r d1 + r d2), where d1 + d2 is the key, f random (1 without BLIND) and i = 1/(nonce f). Each summand is multiplied
; by i first, so that no product by the public r has a secret that stays the same. Before the signature leaves, the same is
; computed again from e, r and the shares: s (nonce i) = i e + i r d1 + i r d2.
.routine sign
.in share mask nonce
.reg e, r, t, u
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
    wipe 2                      ; maybe the nonce
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
