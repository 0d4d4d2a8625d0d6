; ECDSA signature of a hash e given as an integer (FIPS 186-5).
; in    operands e, d, k in this order; an operand that a flag replaces is left out
; d and the nonce are sums of two shares, which are random with BLIND. s = (e / (k m) + r (d1 / (k m) + d2 / (k m))) m with a
; random m, the last rz: every product with a share of d has a random factor.
.entry ECDSA_SIGN job_sign
.routine job_sign
.reg d2, nonce, t, lo
    mov  nonce, one
    mov  d2, zero
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
    .declassify B ; whether the key is in range is the status
    fail B, SCALAR_RANGE
    br   !FBLIND, .nonce        ; the key stays in its slot, and in k
    call split
    ld   k, 1
    .secret k
    call check_private
    call check_scalar
    ld   d2, K2
    ld   k, K1
    st   1, k
    jmp  .nonce
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
    ld   d2, 0                  ; a second e, for the check in the end: the shares of the key stay in their slots
.nonce:
    br   FRANDOM, .draw
    mov  k, nonce
    call check_private
    .declassify B ; whether the nonce is in range is the status
    fail B, SCALAR_RANGE
    call split
    jmp  .nonce_there
.draw:
    hedge_nonce
    br   !FBLIND, .one
    call random_scalar
    st   K2, k
.one:
    call random_scalar
    st   K1, k
.nonce_there:
    setc c3, 0
    call multiple
    call to_affine
    mov  base, jx
    br   !FCHECK, .point_there
    call split_again
    call multiple_again
    mov  sx, base
    call compare_x
    .declassify B ; only a fault gets here
    fail !B, FAULT
.point_there:
    .declassify base ; r is part of the signature
    st   PX, base               ; for the check in the end
    mov  k, base
    call residue
    .declassify Z ; as r
    fail Z, RETRY               ; also if the nonce is 0
    mov  jx, k
    call masked_nonce
    call invert_secret_n        ; R^3 / (k m)
    mov  r, d2
    call combine                ; (e + r d) R^2 / (k m)
    mov  sx, rz
    call mont
    call times_one              ; s = (e + r d) / k
    .declassify k ; s is part of the signature
    .declassify Z ; as s
    fail Z, RETRY
    mov  jy, k
    br   !FKEY, .key_there
    call check_key              ; before s is checked: what runs after a skipped `ret` would change s
.key_there:
    ; r = x mod n, and s k m = (e + r d) m, with everything from its source again
    br   !FCHECK, .r_there
    ld   k, PX
    call residue
    isub k, k, jx
    fail !Z, FAULT
.r_there:
    call masked_nonce
    mov  k, base
    mov  sx, jy
    call mont
    mov  t, k                   ; s k m / R^2
    mov  k, rz
    call times_one
    mov  base, k
    mov  r, d2
    mov  k, d2
    br   FKEY, .e_there
    ld   k, 0
.e_there:
    call combine_with
    isub t, t, k
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    call check_and_forget
    br   FAULTY, fault
    st   0, jx
    st   1, jy
    call read_back
    br   FAULTY, fault
    done OK, 2
; k = x mod n for x = k, and h = x R mod n. Z = it is 0.
.routine residue
.in k
.out k h sx
    call times_r2n
    mov  h, k
    jmp  times_one
; base = k m / R modulo n for the nonce k and m = rz
.routine masked_nonce
.in rz
.out base k sx
    ld   k, K1
    mov  sx, rz
    call mont
    mov  base, k
    br   !FBLIND, .whole
    ld   k, K2
    call mont
    add_n base, base, k
.whole:
    ret
; k = (e + r d) f / R modulo n for f = base and the r R in h. The register r is the second share of d if it is no key of the
; slot. combine_with takes e from k instead of its slot.
.routine combine
.in base h r
.out r k sx
.reg u
    ld   k, 0
combine_with:
    call reduce_scalar
    mov  sx, base
    call mont
    mov  t, k
    br   FKEY, .key
    ld   k, 1
    br   FBLIND, .first
    call mont
    jmp  .whole
.key:
    ld   r, KEY_MASK
    ld   k, N_RUNS              ; between the shares, see load_key
    ld   k, KEY
.first:
    call mont
    mov  u, k
    mov  k, r
    call mont
    add_n k, k, u
.whole:
    mov  sx, h
    call mont
    add_n k, k, t
    ret
