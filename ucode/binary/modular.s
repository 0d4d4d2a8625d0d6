; MOD_ jobs in GF(2^m), or modulo n if the job has the flag MOD_N. The operands are below the modulus.
.entry MOD_MUL job_mod_mul
.entry MOD_ADD job_mod_add
.entry MOD_SUB job_mod_sub
.entry MOD_INV job_mod_inv
.entry MOD_EXP job_mod_exp
.routine job_mod_mul
.reg t, acc
    chk  2
    br   FMODN, .n
    call load_elements
    mul  qx, px, py
    jmp  return_element
.n:
    call load_integers
    mul  qx, qx, r2n
    mul  qx, qx, qy
    jmp  return_element

job_mod_add:
    chk  2
    br   !FMODN, sum_of_elements
    call load_integers
    add  qx, qx, qy
    jmp  return_element

job_mod_sub:
    chk  2
    br   !FMODN, sum_of_elements
    call load_integers
    sub  qx, qx, qy
    jmp  return_element
sum_of_elements:
    call load_elements
    add  qx, px, py
    jmp  return_element

job_mod_inv:
    chk  1
    br   FMODN, .n
    mod  0
    load_element inv, 0
    recip
    mov  qx, inv
    jmp  return_element
.n:
    call load_integer
    mov  base, qx
    call fermat_inverse_n
    jmp  return_base

job_mod_exp:
    chk  2
    mod  1
    ld   exponent, 1
    st   EXPONENT, exponent
    br   FMODN, .n
    mod  0
    load_element px, 0
    mov  acc, one_p
    setc c0, RBITS-1
.bit:
    mul  acc, acc, acc
    ldb  EXPONENT, c0
    csel t, one_p, px
    mul  acc, acc, t
    loop c0, .bit
    mov  qx, acc
    jmp  return_element
.n:
    call load_integer
    mul  base, qx, r2n
    setc c0, RBITS-1
    setc c1, RBITS-3
    setc c2, 0
    call modexp
return_base:
    .assume base modn ; below n
    mul  qx, base, one
return_element:
    .declassify qx ; the result of the job
    st   0, qx
    done OK, 1
