; Checks a private key or nonce: the job ends with SCALAR_RANGE unless 1 <= k < n.
; in, out  k integer; sx, which the job wipes, is lost
.routine check_private
.in k
.out sx
    isub sx, k, n
    setb !C                     ; k >= n
    iadd sx, k, zero
    setb B|Z                    ; or k = 0
    .declassify B ; whether the scalar is in range is the status
    br   B, scalar_range
    ret
