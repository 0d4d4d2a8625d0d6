; Keys: ECDH, KEY_LOAD. A key enters slot KEY, of all threads, only when it is in range.
.entry ECDH job_ecdh
.routine job_ecdh
.reg t
    br   FKEY, .key
    chk  3
    ld   k, 2
    .secret k
    ld   t, 2
    .secret t
    st   7, t                   ; for check_scalar: split overwrites slot 2
    call check_private
    .declassify B ; whether the key is in range is the status
    fail B, SCALAR_RANGE
    call split
    jmp  .loaded
.key:
    chk  2
    br   !KEY, no_key
    br   !PERMIT, key_refused
    call load_key
.loaded:
    ld   px, 0
    ld   py, 1
    st   PX, px
    st   PY, py
    setc c3, 2
    call multiple
    ld   k, 7
    wipe 7
    br   FKEY, end_multiple
    br   !FCHECK, end_multiple
    call check_private
    call check_scalar
    jmp  end_multiple
no_key:
    call wipe_operands
    done NO_KEY, 0
key_refused:                    ; The attributes of the key do not permit the job, or not with this nonce.
    call wipe_operands
    done KEY_REFUSED, 0
