; Scalar of MUL, BASE_MUL, DOUBLE_MUL: 0 <= k < 2^bits(n), reduced modulo n by one conditional subtraction.
; in    k integer;  out k in [0, n). Threads where it is larger end with SCALAR_RANGE.
.routine reduce_scalar
.in k
.out k
.reg t, u
    isub t, k, n                ; k - n, C = (k < n)
    setb C
    csel k, t, k                ; k < n ? k : k - n
    isub u, t, n_gap            ; C = (k - n < 2^bits(n) - n)
    setb B|C                    ; k < 2^bits(n)
    .declassify B ; whether the scalar is in range is the status
    fail !B, SCALAR_RANGE
    ret
