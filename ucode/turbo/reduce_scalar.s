; Checks the scalar of MUL, BASE_MUL, DOUBLE_MUL, or the hash of ECDSA, and reduces it modulo n by one conditional
; subtraction. A thread ends with SCALAR_RANGE and continues with 0 unless 0 <= k < 2^bits(n).
; in    k integer
; out   k in [0, n)
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
    csel k, zero, k
    ret
