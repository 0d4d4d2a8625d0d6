; Ends of jobs that answer with a point: qx, qy (integers, or elements of GF(2^m)) are public from here.
.routine returns
; B = the multiple is infinity: the same instructions either way, only the status differs
return_multiple:
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
return_point:
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    st   0, qx
    st   1, qy
    done OK, 2
return_infinity:
    wipe 0
    wipe 1
    done INFINITY, 2
bad_curve:
    done BAD_CURVE, 0
