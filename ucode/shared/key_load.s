; KEY_LOAD: the key is stored in slot KEY only if it is in range.
.entry KEY_LOAD job_key_load
.routine job_key_load
    select_n
    chk  1
    ld   k, 0
    .secret k
    wipe 0
    call check_private
    st   KEY, k
    keyv 1
    isub k, zero, zero
    done OK, 0
