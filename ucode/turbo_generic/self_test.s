; Self-test on the loaded curve: the inverse of 2 modulo n, and 2 ((n + 1) / 2) G = G.
.entry SELF_TEST job_self_test
.routine job_self_test
.uniform ; the job is exclusive: all threads have the same draws
.reg t, lo, mm
    chk  0
    iadd t, one, one
    mont_n base, t, r2n
    call fermat_inverse_n
    isub t, base, half_n
    br   !Z, .failed
    mont_n k, one, half_n
    call random_unit
    call base_mul
    .declassify jx ; a public multiple of G
    .declassify jy ; a public multiple of G
    .declassify jz ; a public multiple of G
    mov  sx, jx
    mov  sy, jy
    mov  sz, jz
    call jacobian_add
    call to_affine
    enter jx
    enter jy
    isub t, jx, gx
    br   !Z, .failed
    isub t, jy, gy
    br   !Z, .failed
    call refuse
    done OK, 0
.failed:
    call refuse
    done SELF_TEST_FAILED, 0
