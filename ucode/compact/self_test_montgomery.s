; Self-test on a loaded Montgomery curve: N u(G) = infinity.
.routine self_test_montgomery
.reg t
    st   SCALAR, ord
    call random_unit
    .assume qx modp ; random_unit
    mov  px, gx
    .assume px modp ; copy of gx
    setc c0, NBITS-1
    call montgomery_ladder
    wipe SCALAR
    iadd t, qy, zero
    .declassify Z ; N G is public
    br   !Z, .failed
    call refuse
    done OK, 0
.failed:
    call refuse
    done SELF_TEST_FAILED, 0
