; Jobs on points: MUL, BASE_MUL, DOUBLE_MUL, POINT_ADD, ON_CURVE.
.entry MUL job_mul
.entry BASE_MUL job_base_mul
.entry DOUBLE_MUL job_double_mul
.entry POINT_ADD job_point_add
.entry ON_CURVE job_on_curve
.routine job_mul
.reg t
    br   MONT, bad_curve
    chk  3
    ld   k, 0
    .secret k
    ld   px, 1
    ld   py, 2
    call reduce_scalar
    iadd t, px, zero
    setb Z
    iadd t, py, zero
    setb B&Z
    br   B, .infinity
    call load_point
    call scalar_mul
    jmp  return_multiple
.infinity:
    call forget_job
    jmp  return_infinity

job_base_mul:
    br   MONT, bad_curve
    chk  1
    ld   k, 0
    .secret k
    call reduce_scalar
    call base_mul
    jmp  return_multiple

job_double_mul:
    br   MONT, bad_curve
    chk  4
    ld   k, 0
    .declassify k ; the scalars of DOUBLE_MUL are public
    call reduce_scalar
    st   PUBLIC, k
    mov  qx, k
    ld   k, 1
    call reduce_scalar
    st   PUBLIC2, k
    ld   px, 2
    ld   py, 3
    call load_point
    call joint_mul_var
    iadd t, jz, zero
    br   Z, return_infinity
    mov  base, jz
    .assume base modp ; copy of jz
    call fermat_inverse
    .assume base modp ; below p
    mul  t, base, base
    mul  qx, jx, t
    mul  t, t, base
    mul  qy, jy, t
    mul  qx, qx, one
    mul  qy, qy, one
    jmp  return_point

job_point_add:
    br   MONT, bad_curve
    chk  4
    ld   px, 0
    ld   py, 1
    call load_point_or_infinity
    mov  jx, px
    mov  jy, py
    ld   px, 2
    ld   py, 3
    call load_point_or_infinity
    mov  qx, jx
    mov  qy, jy
    .assume qx modp ; checked
    .assume qy modp ; checked
    call affine_add_var
    iadd t, qx, zero
    setb Z
    iadd t, qy, zero
    setb B&Z
    br   B, return_infinity
    mul  qx, qx, one
    mul  qy, qy, one
    jmp  return_point

job_on_curve:
    br   MONT, bad_curve
    chk  2
    ld   px, 0
    ld   py, 1
    call load_point
    done OK, 0
