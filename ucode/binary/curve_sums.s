; Constants of the curve: three sums, which CURVE_LOAD stores. A sum that differs later ends a job with FAULT. The sum of the
; constants in GF(2^m) is checked by ladder_point.
;
; sum_constants: sx = sum of the integers that signatures need not, modulo R; modulus 1 selected.
.macro sum_modulus sum
    iadd sum, n, par
    iadd sum, sum, zero
    iadd sum, sum, one
    iadd sum, sum, one_n
    iadd sum, sum, r2n
.endmacro
.routine sum_constants
.out sx
.reg t
    iadd sx, ord, multiple      ; two sums, since an addition has to wait for the one before
    iadd t, h_inv, cofactor_bits
    iadd sx, sx, cofactor_end
    own_constants
    iadd t, t, short
    iadd sx, sx, weight
    iadd t, t, order
    iadd sx, sx, bit92
    iadd sx, sx, t
    ret

.routine check_constants
.out sx
    call sum_constants
    isub sx, sx, constants
    sum_modulus t
    isub t, t, constants_n
    iadd sx, sx, t
    br   !Z, fault
    ret
