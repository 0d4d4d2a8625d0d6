; Jobs ECDH and KEYGEN. A key is stored in slot KEY only if it is in range.
.entry ECDH job_ecdh
.entry KEYGEN job_keygen
.routine job_ecdh
.reg d, t
    br   FKEY, .key
    chk  3
    mod  1
    ld   k, 2
    .secret k
    wipe 2
    jmp  .loaded
.key:
    chk  2
    br   !KEY, no_key
    mod  1
    ld   k, KEY
.loaded:
    call check_private
    br   !FCOFACTOR, .point
    mov  d, k                   ; h d < N, by the bits of h
    setc c0, NBITS-1
    jmp  .factor_bit
.factor:
    iadd k, k, k
    ldb  FACTOR, c0
    cadd k, k, d
.factor_bit:
    ldb  FACTOR_END, c0
    br   B, .multiplied
    loop c0, .factor
.multiplied:
    isub d, d, d
.point:
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    br   !Z, .off_curve
    mod  1
    st   SCALAR, k
    isub k, k, k
    mod  0
    load_scalar
    multiply_point
    .declassify Z ; infinity, the multiple of a point of small order, is the status
    br   Z, .exceptional
    .declassify qx ; the shared secret is the result of the job
    st   0, qx
    mov  qx, zero_p
    mov  qy, zero_p
    done OK, 1
.off_curve:
    mod  1
    isub k, k, k
    jmp  not_on_curve
.exceptional:
    wipe SCALAR
    done EXCEPTIONAL, 0

job_keygen:
    br   FRANDOM, .draw
    chk  1
    .secret SCALAR
    mod  1
    ld   k, SCALAR
    jmp  .check
.draw:
    chk  0
    call random_scalar
    iadd t, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.check:
    call check_private
    st   KEY, k
    keyv 1
    st   SCALAR, k
    isub k, k, k
    mod  0
    load_scalar
    call base_point_mul
    jmp  return_multiple
