; Jobs ECDH and KEYGEN. A key is stored in slot KEY only if it is in range.
.entry ECDH job_ecdh
.entry KEYGEN job_keygen
.routine job_ecdh
.reg t
    br   MONT, bad_curve
    br   FKEY, .key
    chk  3
    ld   k, 2
    .secret k
    wipe 2
    jmp  .loaded
.key:
    chk  2
    br   !KEY, no_key
    br   !PERMIT, key_refused
    call load_key
    add  k, share, mask
    isub share, zero, zero
    isub mask, zero, zero
    jmp  .given
.loaded:
    call check_private
.given:
    call clear_cofactor
    ld   px, 0
    ld   py, 1
    call load_point
    call scalar_mul
    .declassify qx ; the shared secret is the result of the job
    st   0, qx
    verify_x
    isub qx, zero, zero
    isub qy, zero, zero
    call check_constants
    call forget_job
    done OK, 1

job_keygen:
    br   MONT, bad_curve
    br   FRANDOM, .draw
    chk  1
    ld   k, 0
    .secret k
    jmp  .check
.draw:
    chk  0
    call random_scalar
    iadd t, k, zero
    .declassify Z ; a zero draw ends the job with RETRY
    br   Z, retry
.check:
    call check_private
    call split_key
    call store_key
    add  k, share, mask
    call base_mul
    call check_constants
    call forget_job
    jmp  return_point
