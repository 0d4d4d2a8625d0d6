; Scalar of MUL, BASE_MUL, DOUBLE_MUL: 0 <= k < 2^bits(N), else the job ends with SCALAR_RANGE. Modulus 1 selected.
.routine check_scalar
.in k
.reg t
    iadd t, k, ord_gap          ; C = (k >= 2^bits(N))
    setb C
    isub t, t, t
    .declassify B ; whether the scalar is in range is the status
    br   B, scalar_range
    ret
