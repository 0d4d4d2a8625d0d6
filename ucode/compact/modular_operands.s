; Checks the operands of a MOD_ job: px (operand 0) and py (operand 1) must be below the modulus that the job's flag
; chooses, otherwise the job ends with COORD_RANGE.
; out   modulus selected; sx = m, sy = R^2 mod m, unit = M(1)
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
