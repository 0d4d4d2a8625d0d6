; ECDSA over hashes e given as integers (FIPS 186-5). Operand order: e, d, k, without those the flags replace.
.entry ECDSA_SIGN job_sign
.entry ECDSA_VERIFY job_verify
.routine job_sign
.reg e, d, nonce, r, t
    br   MONT, bad_curve
    mov  nonce, zero
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
    ld   d, 1
    .secret d
    wipe 1
    jmp  .loaded
.key:
    br   !KEY, no_key
    br   FRANDOM, .e_only
    chk  2
    ld   nonce, 1
    .secret nonce
    wipe 1
    jmp  .from_key
.e_only:
    chk  1
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
    call random_scalar
    iadd t, k, zero
    .declassify Z ; a zero draw ends the job with RETRY
    br   Z, retry
.nonce:
    call check_private
    mov  nonce, k
    call base_mul
    .declassify qx ; r is part of the signature
    mod  1
    .assume qx int ; below p, not below n
    mul  r, qx, r2n             ; M(r) = x mod n
    br   Z, .retry_wiped
    mul  qx, r, one             ; r
    mul  base, nonce, r2n
    call fermat_inverse_n       ; M(1/k)
    .assume base modn ; below n
    mul  t, d, r2n
    mul  t, t, r                ; M(r d)
    mul  e, e, r2n
    add  t, t, e
    mul  t, t, base             ; M((e + r d) / k)
    mul  qy, t, one             ; s
    .declassify Z ; s = 0 ends the job with RETRY
    br   Z, .retry_wiped
    isub d, zero, zero
    isub nonce, zero, zero
    isub base, zero, zero
    isub t, zero, zero
    jmp  return_point
.retry_wiped:
    isub d, zero, zero
    isub nonce, zero, zero
    isub base, zero, zero
    jmp  retry
retry:
    isub k, zero, zero
    done RETRY, 0
no_key:
    done NO_KEY, 0

; Verification without the final inversion: x(R) mod n = r  <=>  X = (r + j n) Z^2 for some r + j n < p.
job_verify:
    br   MONT, bad_curve
    chk  5
    ld   k, 2
    .declassify k ; s is public
    isub t, k, n
    br   !C, bad_signature
    iadd t, k, zero
    br   Z, bad_signature
    mov  nonce, k
    ld   r, 1
    isub t, r, n
    br   !C, bad_signature
    iadd t, r, zero
    br   Z, bad_signature
    ld   px, 3
    ld   py, 4
    call load_point
    mod  1
    mul  base, nonce, r2n
    call fermat_inverse_n       ; M(1/s)
    .assume base modn ; below n
    ld   e, 0
    mul  t, e, r2n
    mul  t, t, base
    mul  t, t, one              ; u1 = e / s
    st   PUBLIC, t
    mul  t, r, r2n
    mul  t, t, base
    mul  t, t, one              ; u2 = r / s
    st   PUBLIC2, t
    call joint_mul_var
    iadd t, jz, zero
    br   Z, bad_signature
    mul  d, jz, jz
.candidate:
    isub t, r, p
    br   !C, bad_signature      ; no candidate left
    mul  t, r, r2p
    mul  t, t, d
    isub t, t, jx
    br   Z, .valid
    iadd r, r, n
    br   C, bad_signature
    jmp  .candidate
.valid:
    done OK, 0
bad_signature:
    done BAD_SIGNATURE, 0
