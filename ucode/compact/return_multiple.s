; End of jobs with a secret scalar. B = the multiple is infinity. Both paths execute the same instructions and differ only
; in the status.
.routine return_multiple
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    .declassify B ; infinity is the status
    call check_constants
    call forget_job
    st   0, qx
    st   1, qy
    verify_results
    br   B, .multiple_infinity
    jmp  .multiple_point        ; so that both paths take the same time
.multiple_infinity:
    setb 0
    done INFINITY, 2
.multiple_point:
    done OK, 2
