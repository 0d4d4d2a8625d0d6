; Private keys and nonces: B = k is not in 1 .. n - 1; then it becomes 1, so that threads which have failed compute
; something harmless. in/out k integer.
.routine check_private
.in k
.out k
.reg t
    isub t, k, n
    setb !C                     ; k >= n
    iadd t, k, zero
    setb B|Z                    ; or k = 0
    csel k, k, one
    ret
