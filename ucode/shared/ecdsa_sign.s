; ECDSA signature of a hash e given as an integer (FIPS 186-5).
; in    operands e, d, k in this order; an operand that a flag replaces is left out
.entry ECDSA_SIGN job_sign
.routine job_sign
.reg e, d, nonce, r
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
    ld   d, 1
    .secret d
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
    ld   d, KEY
.loaded:
    ld   e, 0
    mov  k, d
    .secret k
    call check_private
    br   FRANDOM, .draw
    mov  k, nonce
    jmp  .nonce
.draw:
    hedge d, e
    call random_scalar
    iadd nonce, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.nonce:
    call check_private
    mov  nonce, k
    point_and_inverse
    .assume base modn ; below n
    ; The factor 1/k comes first: it blinds d before the public r multiplies it.
    mul  d, d, base             ; d / k
    mul  nonce, e, base         ; e / k
    mul  d, d, r                ; r d / k
    add  qy, nonce, d           ; s
    .declassify Z ; s = 0 ends the job with RETRY
    br   Z, retry
    isub d, zero, zero
    isub nonce, zero, zero
    isub base, zero, zero
    isub sx, zero, zero
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
