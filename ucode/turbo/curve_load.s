; CURVE_LOAD: checks the curve and derives the constants of the arithmetic modulo n. p has to be a prime that the program
; supports (load_modulus), and N = n. The curve must not be singular, n must pass Euler's test to the base 3, and n must be about
; as far from p as Hasse's theorem allows. The host is responsible for the rest: that n is not a pseudoprime, and that the curve
; has n points.
; in    operands par, p, a, b, gx, gy, n, N
.entry CURVE_LOAD job_curve_load
.routine job_curve_load
.uniform ; the job is exclusive: all threads have its operands
.reg t, u, v, lo
    par
    keyv 0
    wipe KEY
    wipe KEY_MASK
    wipe KEY_CHECK
    chk  8
    wipe PUBLIC                 ; earlier jobs have left public scalars there
    ld   zero, PUBLIC
    put1 PUBLIC
    ld   one, PUBLIC
    wipe PUBLIC
    br   MONT, bad_modulus
    call check_kind
    setc c0, 33
    ldb  0, c0
    br   B, bad_modulus         ; binary
    load_modulus t
    ld   n, 6
    ld   t, 7
    isub t, t, n
    br   !Z, bad_modulus

    ; Hasse: |n - p - 1| <= 2 sqrt(p), so that |n - p| < 2^(floor(bits(p) / 2) + 2)
    isub lo, n, p
    br   !C, .distance
    isub lo, p, n
.distance:
    iadd t, one, one
    setc c0, PBITS
.root:
    iadd t, t, t
    loop c0, .middle
.middle:
    loop c0, .root
    isub t, lo, t
    br   !C, bad_modulus
    st   PUBLIC, n
    setc c0, 0
    ldb  PUBLIC, c0
    br   !B, bad_modulus        ; n even
    wipe PUBLIC

    ; 2^(bits - 1) <= p, n < 2^bits
    setc c0, PBITS-1
    call power_of_two
    isub t, p, sx
    br   C, bad_modulus
    isub t, t, sx
    br   !C, bad_modulus
    setc c0, NBITS-1
    call power_of_two
    isub t, n, sx
    br   C, bad_modulus
    isub n_gap, sx, t
    isub t, t, sx
    br   !C, bad_modulus
    isub t, one, n
    br   !C, bad_modulus        ; n = 1

    mov  k, n
    call inverse_mod_r
    mov  ninv, base

    ; R / 2, R, R^2 mod n by doubling
    mov  t, one
    setc c0, PBITS-2
.half:
    add_n t, t, t
    loop c0, .half
    mov  half_n, t
    setc c0, PBITS
.r2:
    add_n t, t, t
    loop c0, .r2
    mov  r2n, t
    st   PUBLIC, n
    call prime_test_n_var
    br   !B, bad_modulus        ; not a prime

    ; (2^L - 1) / 2 mod n
    mov  k, one
    setc c0, NBITS-1
.window:
    setc c1, 3
.power:
    add_n k, k, k
    loop c1, .power
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .window
    isub k, k, one
    caddc k, k, n
    mov  sx, half_n
    call mont
    mov  offset, k

    prepare_inversion t

    ld   a, 2
    isub t, a, p
    br   !C, .coord_range
    ld   t, 4
    isub t, t, p
    br   !C, .coord_range
    derive_p
    br   !AM3, .a_checked
    iadd t, a, one
    iadd t, t, one
    iadd t, t, one
    isub t, t, p
    br   !Z, bad_modulus        ; the operand says a = -3, which is false
.a_checked:
    ld   b, 3
    isub t, b, p
    br   !C, .coord_range
    iadd t, b, zero
    br   Z, bad_modulus         ; (0, 0) would be a point
    enter a
    enter b
    mul  t, a, a
    mul  t, t, a
    add  t, t, t
    add  t, t, t
    mul  u, b, b
    setc c0, 2
.triple:
    add  v, u, u
    add  u, u, v
    loop c0, .triple
    add  t, t, u                ; 4 a^3 + 27 b^2
    canon t, t
    br   Z, bad_modulus         ; singular
    ld   px, 4
    ld   py, 5
    isub t, py, p
    br   !C, .coord_range
    call enter_point
    call curve_equation
    br   !Z, .not_on_curve
    mov  gx, px
    mov  gy, py
    loaded 1
    find_table
    call sum_and_forget
    mov  sum, sx
    done OK, 0
.coord_range:
    done COORD_RANGE, 0
.not_on_curve:
    done NOT_ON_CURVE, 0
bad_modulus:
    done BAD_MODULUS, 0
