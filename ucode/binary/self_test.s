; Self-test on the loaded curve: (n - 2) G + G = -G.
.entry SELF_TEST job_self_test
.routine job_self_test
.reg t
    chk  0
    mod  1
    isub k, n, one
    isub k, k, one
    st   SCALAR, k
    mod  0
    load_scalar
    call base_point_mul
    wipe SCALAR
    .declassify qx ; a public multiple of G
    .declassify qy ; a public multiple of G
    call affine_add_var
    add  t, qx, gx
    br   !Z, self_test_failed
    add  t, qy, gy
    add  t, t, gx
    br   !Z, self_test_failed
    call refuse
    done OK, 0
self_test_failed:
    call refuse
    done SELF_TEST_FAILED, 0
