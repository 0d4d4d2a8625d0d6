; Wipes all registers that jobs with secrets use, except jx and jy. The assembler checks that nothing is left.
.routine forget_job
.clobber rz px py k base exponent jz tz xx sx sy h r c wa pt
.reg r34 = 34
.reg r35 = 35
.reg r36 = 36
.reg r37 = 37
.reg r38 = 38
.reg r39 = 39
.reg r40 = 40
.reg r41 = 41
.reg r42 = 42
.reg r43 = 43
.reg r44 = 44
.reg r45 = 45
.reg r46 = 46
.reg r47 = 47
    mov  rz, zero
    mov  px, zero
    mov  py, zero
    mov  k, zero
    mov  base, zero
    mov  exponent, zero
    mov  jz, zero
    mov  tz, zero
    mov  xx, zero
    mov  sx, zero
    mov  sy, zero
    mov  h, zero
    mov  r, zero
    mov  c, zero
    mov  wa, zero
    mov  pt, zero
    mov  pt+1, zero
    mov  pt+2, zero
    mov  pt+3, zero
    mov  pt+4, zero
    mov  pt+5, zero
    mov  pt+6, zero
    mov  pt+7, zero
    mov  pt+8, zero
    mov  pt+9, zero
    mov  pt+10, zero
    mov  pt+11, zero
    mov  pt+12, zero
    mov  pt+13, zero
    mov  pt+14, zero
    mov  pt+15, zero
    mov  r34, zero
    mov  r35, zero
    mov  r36, zero
    mov  r37, zero
    mov  r38, zero
    mov  r39, zero
    mov  r40, zero
    mov  r41, zero
    mov  r42, zero
    mov  r43, zero
    mov  r44, zero
    mov  r45, zero
    mov  r46, zero
    mov  r47, zero
    forget_own
    ret
; Wipes what a multiplication has left, but for jx and jy.
.routine forget_multiple
    call forget_job
    wipe SCALAR
    wipe K1
    wipe K2
    wipe ENTRY_X
    wipe ENTRY_Y
    ret
; What `refuse` wipes beside slots.
.macro forget_units
    mov  jx, zero
    mov  jy, zero
    call forget_job
.endmacro
