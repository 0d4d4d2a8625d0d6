; Modular arithmetic on operands below the modulus. The modulus is p, or n if the job has the flag MOD_N.
.entry MOD_MUL job_mod_mul
.entry MOD_ADD job_mod_add
.entry MOD_SUB job_mod_sub
.entry MOD_INV job_mod_inv
.entry MOD_EXP job_mod_exp
.routine job_mod_mul
.reg t, acc, lo
    call modular_operands
    br   FMODN, .n
    enter px
    mul  px, px, py
    jmp  return_residue
.n:
    call mont_r2n
    mov  sx, py
    call mont
    mov  px, k
    jmp  return_element

job_mod_add:
    call modular_operands
    br   FMODN, .n
    add  px, px, py
    jmp  return_residue
.n:
    add_n px, px, py
    jmp  return_element

job_mod_sub:
    call modular_operands
    br   FMODN, .n
    sub  px, px, py
    jmp  return_residue
.n:
    isub px, px, py
    caddc px, px, n
    jmp  return_element

job_mod_inv:
    chk  1
    ld   px, 0
    call modular_operand
    br   FMODN, .n
    enter px
    mov  base, px
    call fermat_inverse
    leave base
    mov  px, base
    jmp  return_element
.n:
    call mont_r2n
    mov  base, k
    call fermat_inverse_n
    mov  k, base
    jmp  return_reduced

    ; one product for each bit: by a or by 1
job_mod_exp:
    chk  2
    ld   px, 0
    call modular_operand
    setc c0, RBITS-1
    br   FMODN, .n
    enter px
    mov  acc, one_p
.bit:
    mul  acc, acc, acc
    ldb  1, c0
    csel t, one_p, px
    mul  acc, acc, t
    loop c0, .bit
    leave acc
    mov  px, acc
    jmp  return_element
.n:
    call mont_r2n
    mov  px, k
    mov  k, one
    call mont
    mov  py, k                  ; R mod n
.bit_n:
    mov  sx, k
    call mont
    ldb  1, c0
    csel sx, py, px
    call mont
    loop c0, .bit_n
return_reduced:
    call times_one
    mov  px, k
    jmp  return_element

return_residue:
    canon px, px
return_element:
    .declassify px ; the result of the job
    st   0, px
    done OK, 1
