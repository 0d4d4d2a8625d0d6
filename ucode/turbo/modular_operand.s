; Operand of a MOD_ job, checked: below the modulus that the flag MOD_N chooses. in/out px. Threads where it is not end
; with COORD_RANGE, and go on with 0.
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
.routine modular_operands       ; both: px, py
.out px py
    chk  2
    ld   px, 1
    call modular_operand
    mov  py, px
    ld   px, 0
    jmp  modular_operand
