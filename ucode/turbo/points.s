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
    setc c3, 0
    jmp  return_affine

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
    br   !FCHECK, .once
    st   0, jx
    st   1, jy
    call split_again
    call multiple_again
    ld   sx, 0
    ld   sy, 1
    call compare_point
    .declassify B ; only a fault gets here
    fail !B, FAULT
    ld   jx, 0
    ld   jy, 1
.once:
    call check_and_forget
return_affine:
    br   FAULTY, fault
    iadd sx, jy, zero
    fail Z, INFINITY            ; the order of the curve is odd, so that no point has y = 0
    st   0, jx
    loop c3, .point
    jmp  .two
.point:
    loop c3, .agree
.two:
    st   1, jy
    call read_back
    br   FAULTY, fault
    done OK, 2
.agree:
    mov  jy, zero
    wipe 1
    call read_back
    br   FAULTY, fault
    done OK, 1
; With CHECK: fails with FAULT unless the slots 0 and 1 hold jx and jy, so that a result that was not stored does not leave.
.routine read_back
.in jx jy
.out sx
    br   !FCHECK, .end
    ld   sx, 0
    isub sx, sx, jx
    fail !Z, FAULT
    ld   sx, 1
    isub sx, sx, jy
    fail !Z, FAULT
.end:
    ret
