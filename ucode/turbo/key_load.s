; KEY_LOAD: the key of later jobs, in slot KEY of all threads; the old one stays when the new one is out of range.
.entry KEY_LOAD job_key_load
.routine job_key_load
.uniform ; an exclusive job: all threads have its operands
    chk  1
    ld   k, 0
    .secret k
    wipe 0
    call check_private
    .declassify B ; whether the key is in range is the status
    br   B, .out_of_range
    st   KEY, k
    keyv 1
    sub  k, zero, zero
    done OK, 0
.out_of_range:
    sub  k, zero, zero
    done SCALAR_RANGE, 0
