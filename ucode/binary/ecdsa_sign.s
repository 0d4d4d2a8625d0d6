; ECDSA signature of a hash e given as an integer (FIPS 186-5), as shared/ecdsa_sign.s with fewer products.
; in    as shared/sign_operands.s leaves it
;
; s = f (r (i d1 + i d2) + i e), where d1 + d2 is the key and i = 1/(nonce f). f is random with BLIND; else there is none, and d2
; is 0. i comes first: no product by the public r has a secret that stays the same. Before the signature leaves, it is checked
; with its sources: (r + s) nonce = e + r (d1 + nonce) + r d2, where the nonce masks the key. This and all other differences are
; added: one error cannot make two of them that cancel. Registers of the inversion hold public values in the end, so that few
; are wiped.
.slot HASH = 3
.routine sign
.in share mask nonce
.reg t
    br   FBLIND, .apart
    .assume share modn ; below n
    .assume mask modn ; below n
    add  share, share, mask
    isub mask, zero, zero
    br   FCHECK, .apart
    call base_mul_and_invert
    mov  factor, one_n          ; not used
    jmp  .multiplied
.apart:
    ld   t, 0                   ; e, of which the scalar takes the place
    st   HASH, t
    ld   power, HASH
    ld   t, 0
    isub t, t, power
    br   !Z, fault
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
    ld   t, HASH
    st   0, t
.multiplied:                    ; qx = x of k G, below 2^m; spare = 0; M(f); i
    .assume qx int ; below 2^m, not below n
    .assume base modn ; below n
    .assume share modn ; below n
    .assume mask modn ; below n
    .assume factor modn ; below n
    ld   power, 0
    .assume power modn ; below R: the product with an integer below n is below n
    mul  qy, power, base        ; i e
    br   !FBLIND, .one_share
    mul  power5, mask, base     ; i d2
.one_share:
    mul  base, share, base      ; i d1
    mul  power2, qx, r2n        ; M(r) = x mod n
    wipe NONCE
    setb Z
    br   !FBLIND, .summed
    add  base, base, power5
.summed:
    mul  base, base, power2
    mul  qx, power2, one        ; r
    add  qy, qy, base
    br   !FBLIND, .no_factor
    mul  qy, qy, factor
.no_factor:
    .declassify Z ; s = 0 ends the job with RETRY
    setb B|Z
    .declassify B ; r = 0 or s = 0 ends the job with RETRY
    br   B, retry
    br   !FCHECK, .right_key
    verify_key
.right_key:
    .declassify qx ; the signature, if its check finds no error
    .declassify qy ; the signature, if its check finds no error
    add  k, qx, qy
    .assume nonce modn ; check_private
    add  share, share, nonce
    isub base, zero, zero
    isub power5, r2n, constants_n
    mul  nonce, k, nonce        ; (r + s) nonce, each term over R
    mul  power3, power, one     ; e
    br   !FBLIND, .no_mask
    mul  mask, mask, qx         ; r d2
    sub  nonce, nonce, mask
.no_mask:
    mul  share, share, qx       ; r (d1 + nonce)
    sub  nonce, nonce, power3
    iadd spare, spare, power5
    isub power7, zero, zero
    sub  nonce, nonce, share
    isub share, zero, zero
    iadd spare, spare, nonce
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    .declassify nonce ; it is 0
    .declassify spare ; it is 0
    br   !FCHECK, .checked
    ld   t, HASH
    isub t, t, power
    br   !Z, fault
    mod  0
    st   PUBLIC, qx             ; x, once more
    mod  1
    ld   power3, PUBLIC
    .assume power3 int ; below 2^m, not below n
    mul  power3, power3, r2n
    isub power3, power3, power2
    br   !Z, fault
.checked:
    isub mask, zero, zero
    isub factor, zero, zero
    isub sx, zero, zero
    br   !FCHECK, return_point
    st   0, qx                  ; a signature that was not stored does not leave the engine
    st   1, qy
    ld   t, 0
    isub t, t, qx
    br   !Z, fault
    ld   t, 1
    isub t, t, qy
    br   !Z, fault
    jmp  results_checked
retry:
    call refuse
    done RETRY, 0
no_key:
    call wipe_operands
    done NO_KEY, 0
key_refused:                    ; The attributes of the key do not permit the job, or not with this nonce.
    call wipe_operands
    done KEY_REFUSED, 0
