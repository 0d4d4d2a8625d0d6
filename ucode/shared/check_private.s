; Checks a private key or nonce: the job ends with SCALAR_RANGE unless 1 <= k < n.
; in, out  k integer
.routine check_private
.in k
.reg t
    isub t, k, n
    setb !C                     ; k >= n
    iadd t, k, zero
    setb B|Z                    ; or k = 0
    .declassify B ; whether the scalar is in range is the status
    br   B, scalar_range
    ret
