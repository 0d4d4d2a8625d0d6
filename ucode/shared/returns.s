; Ends of jobs. qx, qy (integers, or elements of GF(2^m)) are public from here.
.routine return_point
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    st   0, qx
    st   1, qy
    verify_results
    done OK, 2
    jmp  fault
return_infinity:
    wipe 0
    wipe 1
    done INFINITY, 2
bad_curve:
    call wipe_operands
    done BAD_CURVE, 0
