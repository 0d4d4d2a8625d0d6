; CURVE_LOAD: checks the curve, derives the engine's constants and forgets the old key.
; in    operands par, p, a, b, gx, gy, n, N
; The routine checks everything that could make a later job run long, hang or leak: f is irreducible, n passes Euler's test to
; the base 3, and N is about as far from 2^m as Hasse's theorem allows. The host is responsible for the rest: that n is not a
; pseudoprime, and that the curve has N points and G has order n.
.entry CURVE_LOAD job_curve_load
.routine job_curve_load
.reg t, u
    par
    keyv 0
    wipe KEY
    wipe KEY_MASK
    wipe KEY_CHECK
    chk  8
    br   !FIELD, bad_modulus
    br   MONT, bad_modulus      ; only kind 2 is accepted
    br   AM3, bad_modulus
    call check_kind
    setc c0, 33
    ldb  0, c0
    br   !B, bad_modulus
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
    ldb  7, c0
    br   B, bad_modulus         ; N odd, but every curve has a point of order 2

    ; 2^(bits - 1) <= N < 2^bits
    setc c0, NBITS-1
    call power_of_two
    isub u, ord, sx
    br   C, bad_modulus
    isub u, u, sx
    br   !C, bad_modulus

    ; multiple = 4 N if N < 3/4 2^bits, else 3 N; added = multiple - 2^(bits + 1) < 2^bits
    isub t, ord, sx
    iadd t, t, t
    isub t, t, sx
    setb C
    iaddl multiple, ord, ord
    iaddl multiple, multiple, ord
    caddl multiple, multiple, ord
    iadd u, sx, sx
    iadd u, u, u
    isub t, multiple, u
    st   PUBLIC, t
    mod  0
    ld   added, PUBLIC
    .assume added modp ; these are bits, not an element
    mod  1

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
    st   PUBLIC, n
    mov  unit, one_n
    setc c0, NBITS-1
    setc c1, NBITS-2
    call prime_test_var
    br   !B, bad_modulus        ; not a prime

    ; Hasse: |N - 2^m - 1| <= 2 sqrt(2^m), so that 2^(m-1) <= N and |N - 2^m| < 2^(floor(m / 2) + 2)
    setc c0, PBITS-1
    call power_of_two
    isub t, ord, sx
    br   C, bad_modulus
    isub u, t, sx
    br   !C, .distance
    isub u, sx, t
.distance:
    iadd t, one, one
    setc c0, PBITS
.root:
    iadd t, t, t
    loop c0, .half
.half:
    loop c0, .root
    isub u, u, t
    br   !C, bad_modulus
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
