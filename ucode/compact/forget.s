; Ends of jobs with secrets. forget_job wipes all registers that a job uses, over the long length, except px, py, qx and qy; refuse also wipes the
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
    movl k, zero
    movl base, zero
    movl exponent, zero
    movl unit, zero
    movl jx, zero
    movl jy, zero
    movl jz, zero
    movl sx, zero
    movl sy, zero
    movl nonce, zero
    movl share, zero
    movl mask, zero
    movl factor, zero
    movl r48, zero
    movl r49, zero
    movl r50, zero
    movl r51, zero
    movl r52, zero
    movl r53, zero
    movl r54, zero
    movl r55, zero
    movl r56, zero
    movl r57, zero
    movl r58, zero
    movl r59, zero
    movl r60, zero
    movl r61, zero
    movl r62, zero
    movl r63, zero
    ret
.macro forget_units
    movl qx, zero
    movl qy, zero
    call forget_job
.endmacro
