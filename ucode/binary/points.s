; Jobs on points: MUL, BASE_MUL, DOUBLE_MUL, POINT_ADD, ON_CURVE. X_LADDER is refused: this engine has no Montgomery curves.
.entry MUL job_mul
.entry BASE_MUL job_base_mul
.entry DOUBLE_MUL job_double_mul
.entry POINT_ADD job_point_add
.entry ON_CURVE job_on_curve
.entry X_LADDER bad_curve
.routine job_base_mul
.reg t
    chk  1
    .secret SCALAR
    mod  0
    load_checked_scalar
    call base_point_mul
    jmp  return_multiple

mul_infinity:
    wipe DRAW
    call check_infinity
    forget_scalar
    jmp  return_infinity

job_double_mul:
    chk  4
    .declassify SCALAR ; the scalars of DOUBLE_MUL are public
    mod  1
    ld   k, SCALAR
    ld   t, 1
    st   PUBLIC, k
    mod  0
    load_checked_scalar
    mod  1
    st   SCALAR, t
    mod  0
    load_checked_scalar
    load_element px, 2
    load_element py, 3
    curve_equation
    br   !Z, not_on_curve
    call joint_mul_var
    br   B, return_infinity
    jmp  return_point

job_point_add:
    chk  4
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    br   Z, .first
    call check_infinity
.first:
    mov  jx, px
    mov  jy, py
    load_element px, 2
    load_element py, 3
    curve_equation
    br   Z, .second
    call check_infinity
.second:
    mov  qx, jx
    mov  qy, jy
    call affine_add_var
    br   B, return_infinity
    jmp  return_point

job_on_curve:
    chk  2
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    br   !Z, not_on_curve
    done OK, 0

job_mul:
    chk  3
    .secret SCALAR
    mod  0
    load_checked_scalar
    load_element px, 1
    load_element py, 2
    curve_equation
    draw_bits
    br   !Z, mul_infinity
    load_z
    multiply_point
; End of jobs with a secret scalar: returns qx, qy, or infinity if Z is set. Both paths take the same number of cycles.
; Modulus 0 selected.
return_multiple:
    setb Z
    mov  zs, zero_p
    mov  zd, zero_p
    .declassify B ; infinity is the status
    .declassify qx ; the result of the job
    .declassify qy ; the result of the job
    br   B, infinite_multiple    ; without CHECK, one branch is taken on both paths, and one is not
    br   !FCHECK, store_multiple ; with CHECK, a result that was not stored does not leave the engine
    st   0, qx
    st   1, qy
    ld   t, 0
    .assume t modp ; as it was stored
    add  t, t, qx
    br   !Z, fault
    ld   t, 1
    .assume t modp ; as it was stored
    add  t, t, qy
    br   !Z, fault
results_checked:
    done OK, 2
    jmp  fault
store_multiple:
    st   0, qx
    st   1, qy
    done OK, 2
infinite_multiple:
    br   FCHECK, .zero
.zero:
    st   0, zero_p
    st   1, zero_p
    done INFINITY, 2
