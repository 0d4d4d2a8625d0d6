; Checks a private key or nonce. B = k is not in 1 .. n - 1; k then becomes 1, so that a failed thread computes with a
; harmless value.
; in, out  k integer; sx is lost
.routine check_private
.in k
.out k sx
    isub sx, k, n
    setb !C                     ; k >= n
    iadd sx, k, zero
    setb B|Z                    ; or k = 0
    csel k, k, one
    ret
