; Constants of the curve. CURVE_LOAD stores the sum of the integers, modulo R, and r2n twice; a job ends with FAULT if they differ
; later. R^2 is apart since a signature needs no other check: with a change of another integer that it uses, it does not fit its
; sources. Constants in GF(2^m) need no sum: see ladder_point.
;
; sx = the sum; modulus 1 selected.
.macro sum_constants
    iadd sx, ord, multiple      ; two sums, since an addition has to wait for the one before
    iadd t, h_inv, cofactor_bits
    iadd sx, sx, cofactor_end
    own_constants
    iadd t, t, short
    iadd sx, sx, weight
    iadd t, t, order
    iadd sx, sx, bit92
    iadd t, t, n
    iadd sx, sx, par
    iadd t, t, zero
    iadd sx, sx, one
    iadd t, t, one_n
    iadd sx, sx, t
.endmacro
.routine check_constants
.out sx
.reg t
    sum_constants
    isub t, r2n, constants_n
    isub sx, sx, constants
    iadd sx, sx, t
    br   !Z, fault
    ret
