; The end of jobs: wipes whatever a job with secrets leaves in registers and slots, except jx and jy, and computes the sum of all
; constants that CURVE_LOAD leaves in registers. The assembler checks that nothing is left. Products write two registers each, and
; the sums do not wait for them.
; out   sx
.routine sum_and_forget
.out sx
.clobber rz px py k base exponent jz tz xx sy h r c wa pt
.block w34, 2, align 2 = 34
.block w36, 2, align 2 = 36
.block w38, 2, align 2 = 38
.block w40, 2, align 2 = 40
.block w42, 2, align 2 = 42
.block w44, 2, align 2 = 44
.block w46, 2, align 2 = 46
    mulw w34, zero, zero
    iadd sx, p, n
    mulw w36, zero, zero
    wipe SCALAR
    mov  rz, zero
    iadd sx, sx, zero
    mulw w38, zero, zero
    mov  exponent, zero
    iadd sx, sx, one
    mulw w40, zero, zero
    mov  jz, zero
    mulw w42, zero, zero
    wipe ENTRY_X
    iadd sx, sx, a
    mov  sy, zero
    mulw w44, zero, zero
    iadd sx, sx, b
    mov  px, zero
    mulw w46, zero, zero
    iadd sx, sx, gx
    mov  py, zero
    mulw pt, zero, zero
    iadd sx, sx, gy
    mulw pt+2, zero, zero
    wipe ENTRY_Y
    mov  k, zero
    iadd sx, sx, ninv
    mulw pt+4, zero, zero
    mov  base, zero
    iadd sx, sx, r2n
    mulw pt+6, zero, zero
    mov  tz, zero
    iadd sx, sx, half_n
    mulw pt+8, zero, zero
    mov  xx, zero
    mulw pt+10, zero, zero
    wipe K1
    iadd sx, sx, offset
    mov  h, zero
    mulw pt+12, zero, zero
    iadd sx, sx, n_gap
    mov  r, zero
    mulw pt+14, zero, zero
    mov  c, zero
    mov  wa, zero
    wipe K2
    forget_own
    add_own_constants
    ret
; Before the result of a secret scalar leaves: fails with FAULT if a constant has changed since CURVE_LOAD, and wipes the rest.
.routine check_and_forget
.out sx
    call sum_and_forget
    isub sx, sx, sum
    fail !Z, FAULT
    ret
; What `refuse` wipes beside slots.
.macro forget_units
    mov  jx, zero
    mov  jy, zero
    call sum_and_forget
.endmacro
