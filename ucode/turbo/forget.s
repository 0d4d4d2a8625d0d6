; Wipes all registers that jobs with secrets use, except jx and jy. The assembler checks that nothing is left.
.routine forget_job
.clobber rz px py k base exponent jz tz xx sx sy h r c wa pt
    mov  base, zero
    forget_most
    jmp  forget_rest
; Wipes what a multiplication has left, but for jx and jy.
.routine forget_multiple
    call forget_job
    wipe SCALAR
    wipe ENTRY_X
    wipe ENTRY_Y
    wipe K1
    wipe K2
    ret
; What `refuse` wipes beside slots.
.macro forget_units
    mov  jx, zero
    mov  jy, zero
    call forget_job
.endmacro
