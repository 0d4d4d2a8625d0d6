; Modular arithmetic on operands below the modulus. The modulus is p, or n if the job has the flag MOD_N.
.entry MOD_MUL job_mod_mul
.entry MOD_ADD job_mod_add
.entry MOD_SUB job_mod_sub
.entry MOD_INV job_mod_inv
.entry MOD_EXP job_mod_exp
.routine job_mod_mul
    call modular_operands
    .assume px mod ; checked
    .assume sy mod ; r2p or r2n
    mul  px, px, sy
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
    .declassify qx ; the result of the job
    st   0, qx
    done OK, 1

job_mod_inv:
    chk  1
    call modular_operand
    .assume px mod ; checked
    mul  base, px, sy
    br   FMODN, .inverse_n
    call fermat_inverse
    jmp  .inverse
.inverse_n:
    call fermat_inverse_n
.inverse:
    .assume base mod ; below the modulus
    mul  qx, base, one
    jmp  return_element

job_mod_exp:
    chk  2
    call modular_operand
    .assume px mod ; checked
    ld   exponent, 1
    mul  base, px, sy
    setc c0, RBITS-1
    call modexp
    .assume base mod ; below the modulus
    mul  qx, base, one
    jmp  return_element
