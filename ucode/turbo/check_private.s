; Private keys and nonces: B = k is not in 1 .. n - 1. in k integer.
.routine check_private
.in k
.reg t
    isub t, k, n
    setb !C                     ; k >= n
    iadd t, k, zero
    setb B|Z                    ; or k = 0
    ret
