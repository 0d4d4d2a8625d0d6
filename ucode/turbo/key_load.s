; KEY_LOAD, KEYGEN: the key of later jobs, in slot KEY of all threads. If the new key is out of range, the old one stays.
.entry KEY_LOAD job_key_load
.entry KEYGEN job_keygen
.routine job_key_load
.uniform ; the job is exclusive: all threads have its operands and draws
.reg t
    chk  1
    ld   k, 0
    .secret k
    call check_private
    .declassify B ; whether the key is in range is the status
    br   B, key_out_of_range
    call store_key
    keyv 1
    call sum_and_forget
    wipe 0
    done OK, 0
key_out_of_range:
    call refuse
    done SCALAR_RANGE, 0

job_keygen:
    br   FRANDOM, .draw
    chk  1
    ld   k, 0
    .secret k
    jmp  .check
.draw:
    chk  0
    call random_scalar
    iadd t, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, .retry
.check:
    call check_private
    .declassify B ; whether the key is in range is the status
    br   B, key_out_of_range
    call store_key
    keyv 1
    setc c3, 0
    call multiple
    br   FRANDOM, end_multiple
    br   !FCHECK, end_multiple
    ld   k, 0
    .secret k
    call check_scalar
    jmp  end_multiple
.retry:
    call refuse
    done RETRY, 0
