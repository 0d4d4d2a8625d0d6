; Both operands; otherwise as modular_operand.
.routine modular_operands
.out px py sx sy unit
.reg t
    chk  2
    call modular_operand
    ld   py, 1
    isub t, py, sx
    br   !C, coord_range
    ret
