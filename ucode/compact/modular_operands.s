; Operands of the MOD_ jobs, checked: px (operand 0), py (operand 1) below the modulus that the job's flag chooses.
; out   modulus selected; sx = m, sy = R^2 mod m, unit = M(1). Ends the job with COORD_RANGE.
.routine modular_operand
.out px sx sy unit
.reg t
    ld   px, 0
    br   FMODN, .n
    mov  sx, p
    mov  sy, r2p
    mov  unit, one_p
    mod  0
    jmp  .check
.n:
    mov  sx, n
    mov  sy, r2n
    mov  unit, one_n
    mod  1
.check:
    isub t, px, sx
    br   !C, coord_range
    ret
