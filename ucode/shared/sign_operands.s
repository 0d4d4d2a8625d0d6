; ECDSA_SIGN up to the multiplication: loads the operands e, d, k, in this order; an operand that a flag replaces is left out. Goes
; on with the routine sign.
; out   share + mask = the key modulo n, nonce in 1..n-1; modulus n selected. Slot 0 = e; slot 2 may hold the nonce.
.entry ECDSA_SIGN job_sign
.routine job_sign
.reg e
    br   MONT, bad_curve
    select_n
    mov  nonce, zero            ; out of range, unless an operand or a draw replaces it
    br   FKEY, .key
    br   FRANDOM, .e_d
    chk  3
    ld   nonce, 2
    .secret nonce
    jmp  .d
.e_d:
    chk  2
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
.from_key:
    call load_key
.loaded:
    mov  k, nonce
    br   !FRANDOM, .nonce
    ld   e, 0
    hedge share, e
    call random_scalar
    iadd nonce, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.nonce:
    call check_private
    mov  nonce, k
    jmp  sign
