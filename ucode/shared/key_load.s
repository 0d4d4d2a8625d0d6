; KEY_LOAD: the key is stored, in two shares, only if it is in range.
.entry KEY_LOAD job_key_load
.routine job_key_load
    select_n
    chk  1
    ld   k, 0
    .secret k
    call check_private
    call split_key
    call store_key
    isub share, zero, zero
    isub mask, zero, zero
    isub sx, zero, zero
    wipe 0                      ; while the unit works
    done OK, 0
