; Ends of jobs with secrets. forget_job wipes all registers that a job uses, except px, py, qx and qy; refuse also wipes the
; slots of operands, scalar and entropy, for jobs that end without a result. The assembler checks that nothing is left.
.routine forget_job
.clobber k base exponent unit jx jy jz sx sy share mask factor nonce
.reg r48 = 48
.reg r49 = 49
.reg r50 = 50
.reg r51 = 51
.reg r52 = 52
.reg r53 = 53
.reg r54 = 54
.reg r55 = 55
.reg r56 = 56
.reg r57 = 57
.reg r58 = 58
.reg r59 = 59
.reg r60 = 60
.reg r61 = 61
.reg r62 = 62
.reg r63 = 63
    mov  k, zero
    mov  base, zero
    mov  exponent, zero
    mov  unit, zero
    mov  jx, zero
    mov  jy, zero
    mov  jz, zero
    mov  sx, zero
    mov  sy, zero
    mov  nonce, zero
    mov  share, zero
    mov  mask, zero
    mov  factor, zero
    mov  r48, zero
    mov  r49, zero
    mov  r50, zero
    mov  r51, zero
    mov  r52, zero
    mov  r53, zero
    mov  r54, zero
    mov  r55, zero
    mov  r56, zero
    mov  r57, zero
    mov  r58, zero
    mov  r59, zero
    mov  r60, zero
    mov  r61, zero
    mov  r62, zero
    mov  r63, zero
    ret
.macro forget_units
    movl exponent, zero         ; a blinded scalar may be there
    movl k, zero
    mov  qx, zero
    mov  qy, zero
    call forget_job
.endmacro
