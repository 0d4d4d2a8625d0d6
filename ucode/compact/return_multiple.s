; End of jobs with a secret scalar. B = the multiple is infinity: the same instructions either way, only the status differs.
.routine return_multiple
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    .declassify B ; infinity is the status
    st   0, qx
    st   1, qy
    br   B, .multiple_infinity
    jmp  .multiple_point        ; in the time of the other path
.multiple_infinity:
    setb 0
    done INFINITY, 2
.multiple_point:
    done OK, 2
