; sum_constants: sx = sum of all constants of the curve, modulo R. check_constants ends the job with FAULT if it is not the one
; that CURVE_LOAD has stored.
.routine sum_constants
.out sx
    iadd sx, p, n
    iadd sx, sx, par
    iadd sx, sx, zero
    iadd sx, sx, one
    iadd sx, sx, one_p
    iadd sx, sx, r2p
    iadd sx, sx, one_n
    iadd sx, sx, r2n
    iadd sx, sx, a
    iadd sx, sx, b
    iadd sx, sx, ord
    iadd sx, sx, ord_gap
    iadd sx, sx, ord66
    iadd sx, sx, gt
    iadd sx, sx, gt+1
    iadd sx, sx, gt+2
    iadd sx, sx, gt+3
    iadd sx, sx, gt+4
    iadd sx, sx, gt+5
    iadd sx, sx, gt+6
    iadd sx, sx, gt+7
    iadd sx, sx, gt+8
    iadd sx, sx, gt+9
    iadd sx, sx, gt+10
    iadd sx, sx, gt+11
    iadd sx, sx, gt+12
    iadd sx, sx, gt+13
    iadd sx, sx, gt+14
    iadd sx, sx, gt+15
    ret

.routine check_constants
.out sx
    call sum_constants
    isub sx, sx, constants
    br   !Z, fault
    ret
