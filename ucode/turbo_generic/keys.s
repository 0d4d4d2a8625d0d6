; Keys: ECDH, KEY_LOAD. A key enters slot KEY, of all threads, only when it is in range.
.entry ECDH job_ecdh
.routine job_ecdh
    br   FBLIND, refuse_flag
    br   FCHECK, refuse_flag
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
    ld   k, KEY
.loaded:
    call check_private
    .declassify B ; whether the key is in range is the status
    fail B, SCALAR_RANGE
    ld   px, 0
    ld   py, 1
    call load_point
    call random_unit
    call scalar_mul
    call to_affine
    .declassify jx ; the shared secret is the result of the job
    call check_and_forget
    br   FAULTY, fault
    st   0, jx
    sub  jy, zero, zero
    done OK, 1
no_key:
    call wipe_operands
    done NO_KEY, 0
key_refused:                    ; The attributes of the key do not permit the job, or not with this nonce.
    call wipe_operands
    done KEY_REFUSED, 0
refuse_flag:
    call wipe_operands
    done BAD_OP, 0
