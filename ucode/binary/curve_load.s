; CURVE_LOAD: checks the curve, derives the engine's constants and forgets the old key.
; in    operands par, p, a, b, gx, gy, n, N
; The routine checks everything that could make a later job hang or leak. It does not check that G has order n: the host is
; responsible for that.
.entry CURVE_LOAD job_curve_load
.routine job_curve_load
.reg t, u
    par
    keyv 0
    wipe KEY
    chk  8
    br   !FIELD, bad_modulus
    setc c0, 36                 ; only kind 2 is accepted
    ldx  0, c0
    br   !XZ, bad_modulus
    setc c0, 35
    ldb  0, c0
    br   B, bad_modulus
    setc c0, 34
    ldb  0, c0
    br   B, bad_modulus
    setc c0, 33
    ldb  0, c0
    br   !B, bad_modulus
    setc c0, 32
    ldb  0, c0
    br   B, bad_modulus
    mod  1
    wipe PUBLIC                 ; earlier jobs have left public scalars there
    ld   zero, PUBLIC           ; 0 over the long length
    put1 PUBLIC
    ld   one, PUBLIC
    ld   par, 0
    ld   n, 6
    ld   ord, 7
    mod  1                      ; again, because it reads the constant from par
    setc c0, 0
    ldb  6, c0
    br   !B, bad_modulus        ; n even

    ; 2^(bits - 1) <= N < 2^bits
    setc c0, NBITS-1
    call power_of_two
    isub u, ord, sx
    br   C, bad_modulus
    isub u, u, sx
    br   !C, bad_modulus
    iadd u, sx, sx
    isub ord_gap, zero, u

    ; M(1) and R^2 by doubling; they also prove the constant -n^-1
    isub t, one, n
    br   !C, bad_modulus        ; n = 1
    mov  one_n, one
    .assume one_n modn ; 1 < n
    setc c0, RBITS-1
.one_n:
    add  one_n, one_n, one_n
    loop c0, .one_n
    mov  r2n, one_n
    .assume r2n modn ; copy
    setc c0, RBITS-1
.r2n:
    add  r2n, r2n, r2n
    loop c0, .r2n
    mul  t, one_n, one
    isub t, t, one
    br   !Z, bad_modulus
    call cofactor
    call curve_field

    load_element a, 2
    load_element gx, 4
    load_element b, 3
    mov  t, b
    br   Z, bad_modulus         ; (0, 0) would be a point
    load_element gy, 5
    mov  px, gx
    mov  py, gy
    .assume px modp ; copy of gx
    .assume py modp ; copy of gy
    curve_equation
    br   !Z, not_on_curve
    setc c3, 0
    sqr  c, b
    .assume c modp ; in the field
    sqr  c, c                   ; m even: b^(2^(m-2)) = b^(1/4); m odd: b^(2^(m-1)) = b^(1/2)
    ldb  DEGREE, c3
    br   B, .rooted
    sqr  c, c
    sqr  c, c
.rooted:
    end_curve_load
