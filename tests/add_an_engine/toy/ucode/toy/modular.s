; Modular arithmetic on operands below the modulus: p, or n with the flag MOD_N.
.entry MOD_MUL job_mod_mul
.entry MOD_ADD job_mod_add
.entry MOD_SUB job_mod_sub
.routine job_mod_mul
    call modular_operands
    .assume px mod ; checked
    .assume py mod ; checked
    mul  qx, px, py
    jmp  return_element
job_mod_add:
    call modular_operands
    .assume px mod ; checked
    .assume py mod ; checked
    add  qx, px, py
    jmp  return_element
job_mod_sub:
    call modular_operands
    .assume px mod ; checked
    .assume py mod ; checked
    sub  qx, px, py
return_element:
    st   0, qx
    done OK, 1

; out   modulus selected; px (operand 0) and py (operand 1) below it. Else ends the job with COORD_RANGE.
.routine modular_operands
.out px py
.reg t
    chk  2
    ld   px, 0
    ld   py, 1
    br   FMODN, .n
    mod  0
    isub t, px, p
    br   !C, coord_range
    isub t, py, p
    br   !C, coord_range
    ret
.n:
    mod  1
    isub t, px, n
    br   !C, coord_range
    isub t, py, n
    br   !C, coord_range
    ret
coord_range:
    done COORD_RANGE, 0
