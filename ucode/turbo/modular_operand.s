; Checks an operand of a MOD_ job: it must be below the modulus that the flag MOD_N chooses. A thread whose operand is not
; ends with COORD_RANGE and continues with 0.
; in, out  px
.routine modular_operand
.in px
.out px
.reg t
    br   FMODN, .n
    isub t, px, p
    jmp  .check
.n:
    isub t, px, n
.check:
    setb !C
    fail B, COORD_RANGE
    csel px, px, zero
    ret
.routine modular_operands       ; both operands: px, py
.out px py
    chk  2
    ld   px, 1
    call modular_operand
    mov  py, px
    ld   px, 0
    jmp  modular_operand
