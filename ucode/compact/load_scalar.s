; Checks the scalar of MUL, BASE_MUL or DOUBLE_MUL and reduces it modulo N by one conditional subtraction.
; in    k integer
; out   k in [0, N)
; Ends the job with SCALAR_RANGE unless 0 <= k < 2^bits(N). Takes the same number of cycles for every valid k.
.routine reduce_scalar
.in k
.out k
.reg t, u
    isub t, k, ord              ; k - N, C = (k < N)
    setb C
    csel k, t, k                ; k < N ? k : k - N
    isub u, t, ord_gap          ; C = (k - N < 2^bits(N) - N)
    setb B|C                    ; k < 2^bits(N)
    .declassify B ; whether the scalar is in range is the status
    br   !B, scalar_range
    ret
scalar_range:
    call refuse
    done SCALAR_RANGE, 0
