; The sum of all constants that CURVE_LOAD leaves in registers. It is compared before the result of a secret scalar leaves.
; out   sx
.routine sum_constants
.out sx
    iadd sx, p, n
    iadd sx, sx, zero
    iadd sx, sx, one
    iadd sx, sx, a
    iadd sx, sx, b
    iadd sx, sx, gx
    iadd sx, sx, gy
    iadd sx, sx, ninv
    iadd sx, sx, r2n
    iadd sx, sx, half_n
    iadd sx, sx, offset
    iadd sx, sx, n_gap
    add_own_constants
    ret
; Fails with FAULT if a constant has changed since CURVE_LOAD.
.routine check_constants
.out sx
    call sum_constants
    isub sx, sx, sum
    fail !Z, FAULT
    ret
