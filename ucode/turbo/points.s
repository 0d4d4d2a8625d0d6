; Jobs on points: MUL, BASE_MUL, ON_CURVE.
.entry MUL job_mul
.entry BASE_MUL job_base_mul
.entry ON_CURVE job_on_curve
.routine job_mul
.reg t, u
    br   FBLIND, refuse_blinding
    chk  3
    ld   k, 0
    .secret k
    wipe 0
    ld   px, 1
    ld   py, 2
    call reduce_scalar
    ; of infinity: 0 G
    iadd t, px, zero
    setb Z
    iadd t, py, zero
    setb B&Z
    csel px, px, gx
    csel py, py, gy
    csel k, k, zero
    call load_point
    call scalar_mul
    jmp  return_multiple

job_base_mul:
    br   FBLIND, refuse_blinding
    chk  1
    ld   k, 0
    .secret k
    wipe 0
    call reduce_scalar
    call base_mul

return_multiple:
    call to_affine
    .declassify jx ; the result of the job
    .declassify jy ; the result of the job
    .declassify Z ; infinity is the status
    fail Z, INFINITY
    st   0, jx
    st   1, jy
    done OK, 2

job_on_curve:
    chk  2
    ld   px, 0
    ld   py, 1
    call load_point
    done OK, 0
