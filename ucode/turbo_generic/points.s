; Jobs on points, without blinding and without a second computation: MUL, BASE_MUL, POINT_ADD, ON_CURVE.
.entry MUL job_mul
.entry BASE_MUL job_base_mul
.entry POINT_ADD job_point_add
.entry ON_CURVE job_on_curve
.routine job_mul
.reg t
    br   FBLIND, refuse_flag
    br   FCHECK, refuse_flag
    chk  3
    ld   k, 0
    .secret k
    ld   px, 1
    ld   py, 2
    call reduce_scalar
    call load_point_or_infinity
    iadd t, jz, zero
    setb Z
    csel k, k, zero             ; a multiple of infinity is 0 G
    call random_unit
    call scalar_mul
    jmp  return_multiple

job_base_mul:
    br   FBLIND, refuse_flag
    br   FCHECK, refuse_flag
    chk  1
    ld   k, 0
    .secret k
    call reduce_scalar
    call random_unit
    call base_mul
    jmp  return_multiple

job_point_add:
    chk  4
    ld   px, 2
    ld   py, 3
    call load_point_or_infinity
    mov  sx, px
    mov  sy, py
    mov  sz, jz
    ld   px, 0
    ld   py, 1
    call load_point_or_infinity
    mov  jx, px
    mov  jy, py
    call jacobian_add

return_public:                  ; a multiple of a public scalar, or a sum
    call to_affine
    jmp  return_affine

return_multiple:
    call to_affine
    .declassify jx ; the result of the job
    .declassify jy ; the result of the job
    call check_and_forget
return_affine:
    br   FAULTY, fault
    iadd sx, jy, zero
    fail Z, INFINITY            ; the order of the curve is odd, so that no point has y = 0
    st   0, jx
    st   1, jy
    done OK, 2

job_on_curve:
    chk  2
    ld   px, 0
    ld   py, 1
    call load_point
    done OK, 0
