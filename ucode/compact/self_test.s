; Self-test on the loaded curve: 2 ((n + 1) / 2) G = G; that of a Montgomery curve is in self_test_montgomery.s.
.entry SELF_TEST job_self_test
.routine job_self_test
.reg t, u
    chk  0
    br   MONT, self_test_montgomery
    mod  1
    mov  t, one
    .assume t modn ; 1
    half k, t                   ; (n + 1) / 2
    call base_mul
    .declassify qx ; a public multiple of G
    .declassify qy ; a public multiple of G
    mul  qx, qx, r2p
    mul  qy, qy, r2p
    mov  px, qx
    mov  py, qy
    .assume px modp ; copy of qx
    .assume py modp ; copy of qy
    call affine_add_var
    isub t, qx, gx
    br   !Z, self_test_failed
    isub t, qy, gy
    br   !Z, self_test_failed
    call refuse
    done OK, 0
self_test_failed:
    call refuse
    done SELF_TEST_FAILED, 0
