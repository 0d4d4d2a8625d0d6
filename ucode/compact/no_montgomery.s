; A program without the ladder of Montgomery curves: CURVE_LOAD takes them, for MOD_* only.
.routine self_test_montgomery
    jmp  bad_curve
