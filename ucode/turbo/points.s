; Jobs on points: MUL, BASE_MUL, POINT_ADD, ON_CURVE.
.entry MUL job_mul
.entry BASE_MUL job_base_mul
.entry POINT_ADD job_point_add
.entry ON_CURVE job_on_curve
.routine job_mul
.reg t
    chk  3
    ld   px, 1
    ld   py, 2
    st   PX, px
    st   PY, py
    setc c3, 1
    jmp  job_multiple
job_base_mul:
    chk  1
    setc c3, 0
job_multiple:
    ld   k, 0
    .secret k
    call reduce_scalar
    call split
    call multiple
    br   !FCHECK, end_multiple
    ld   k, 0
    .secret k
    call reduce_scalar
    call check_scalar
    jmp  end_multiple

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
    fail Z, INFINITY
    jmp  return_affine

return_affine:
    st   0, jx
    st   1, jy
    done OK, 2

job_on_curve:
    chk  2
    ld   px, 0
    ld   py, 1
    call load_point
    done OK, 0
; The end of jobs whose result is a secret multiple (jx : jy : jz), with its checks. ECDH (c3 = 2) returns x only.
.routine end_multiple
    call to_affine
    .declassify jx ; the result of the job, if no check fails
    .declassify jy ; as jx
    call check_affine
    br   !FCHECK, .once
    st   0, jx
    st   1, jy
    call split_again
    call multiple
    ld   sx, 0
    ld   sy, 1
    call compare_point
    .declassify B ; only a fault gets here
    fail !B, FAULT
    call forget_multiple
    ld   jx, 0
    ld   jy, 1
.once:
    call check_constants
    br   FAULTY, fault
    iadd t, jx, zero
    setb Z
    iadd t, jy, zero
    setb B&Z
    fail B, INFINITY
    call forget_rest
    wipe K1
    wipe K2
    st   0, jx
    loop c3, .point
.two:
    st   1, jy
    done OK, 2
.point:
    loop c3, .agree
    jmp  .two
.agree:
    sub  jy, zero, zero
    wipe 1
    done OK, 1
