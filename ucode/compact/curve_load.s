; CURVE_LOAD: checks the curve, derives the engine's constants and forgets the old key.
; in    operands par, p, a, b, gx, gy, n, N
; The routine checks everything that could make a later job run long, hang or leak: the curve is not singular, p and n pass
; Euler's test to the base 3, N = 2^j n with j < 8, and N is about as far from p as Hasse's theorem allows. The host is
; responsible for the rest: that p and n are not pseudoprimes, and that the curve has N points and G has order n.
.entry CURVE_LOAD job_curve_load
.routine job_curve_load
.reg t, u, v
    par
    keyv 0
    wipe KEY
    wipe KEY_MASK
    wipe KEY_CHECK
    chk  8
    br   !MONT, .kind
    br   AM3, bad_modulus       ; Montgomery curves have no a = -3
.kind:
    call check_kind
    setc c0, 33
    ldb  0, c0
    br   B, bad_modulus         ; binary
    wipe PUBLIC                 ; earlier jobs have left public scalars there
    ld   zero, PUBLIC           ; 0 over the long length
    ld   par, 0
    ld   p, 1
    ld   n, 6
    ld   ord, 7
    st   PUBLIC, p
    setc c0, 0
    ldb  PUBLIC, c0
    br   !B, bad_modulus        ; p even
    wipe PUBLIC
    st   PUBLIC, n
    ldb  PUBLIC, c0
    br   !B, bad_modulus        ; n even
    wipe PUBLIC

    put1 PUBLIC
    ld   one, PUBLIC

    ; 2^(bits - 1) <= p, N < 2^bits
    setc c0, PBITS-1
    call power_of_two
    isub u, p, sx
    br   C, bad_modulus
    isub u, u, sx
    br   !C, bad_modulus
    setc c0, NBITS-1
    call power_of_two
    isub u, ord, sx
    br   C, bad_modulus
    isub ord_gap, sx, u          ; 2^bits(N) - N
    isub u, u, sx
    br   !C, bad_modulus

    ; N = 2^j n, j < 8
    mov  u, n
    setc c0, 7
.cofactor:
    isub t, u, ord
    br   Z, .ordered
    iadd u, u, u
    br   C, bad_modulus
    loop c0, .cofactor
    jmp  bad_modulus
.ordered:

    ; M(1) and R^2 by doubling; they also prove the constants -m^-1
    mod  0
    isub t, one, p
    br   !C, bad_modulus        ; p = 1
    mov  one_p, one
    .assume one_p modp ; 1 < p
    setc c0, RBITS-1
.one_p:
    add  one_p, one_p, one_p
    loop c0, .one_p
    mov  r2p, one_p
    .assume r2p modp ; copy
    setc c0, RBITS-1
.r2p:
    add  r2p, r2p, r2p
    loop c0, .r2p
    mul  t, one_p, one
    isub t, t, one
    br   !Z, bad_modulus        ; -p^-1 does not fit p
    st   PUBLIC, p
    mov  unit, one_p
    setc c0, PBITS-1
    setc c1, PBITS-2
    call prime_test_var
    br   !B, bad_modulus        ; not a prime
    mod  1
    isub t, one, n
    br   !C, bad_modulus
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

    ; Hasse: |N - p - 1| <= 2 sqrt(p), so that |N - p| < 2^(floor(bits(p) / 2) + 2). Hence n > p / 512 for p > 63.
    isub t, ord, p
    br   !C, .distance
    isub t, p, ord
.distance:
    iadd u, one, one
    setc c0, PBITS
.root:
    iadd u, u, u
    loop c0, .half
.half:
    loop c0, .root
    isub t, t, u
    br   !C, bad_modulus

    ; 2^66 N, over the long length
    movl ord66, ord
    setc c0, 65
.shift:
    iaddl ord66, ord66, ord66
    loop c0, .shift

    ld   a, 2
    isub t, a, p
    br   !C, coord_range
    br   !AM3, .a_checked
    iadd t, a, one
    iadd t, t, one
    iadd t, t, one
    isub t, t, p
    br   !Z, bad_modulus        ; the operand says a = -3, which is false
.a_checked:
    ld   px, 4
    isub t, px, p
    br   !C, coord_range
    mod  0
    mul  a, a, r2p
    br   MONT, .montgomery
    ld   b, 3
    isub t, b, p
    br   !C, coord_range
    mul  b, b, r2p
    br   Z, bad_modulus         ; (0, 0) would be a point
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
    br   Z, bad_modulus         ; singular
    ld   py, 5
    call load_point
    .assume px modp ; load_point
    .assume py modp ; load_point
    call joint_mul_var          ; the odd multiples of G, on Z = jz
    mov  base, jz
    .assume base modp ; copy of jz
    call fermat_inverse
    .assume base modp ; below p
    mul  t, base, base
    mul  u, t, base
    mul  gt+2, gt+2, t
    mul  gt+3, gt+3, u
    mul  gt+4, gt+4, t
    mul  gt+5, gt+5, u
    mul  gt+6, gt+6, t
    mul  gt+7, gt+7, u
    mul  gt+8, gt+8, t
    mul  gt+9, gt+9, u
    mul  gt+10, gt+10, t
    mul  gt+11, gt+11, u
    mul  gt+12, gt+12, t
    mul  gt+13, gt+13, u
    mul  gt+14, gt+14, t
    mul  gt+15, gt+15, u
    mov  gx, px
    mov  gy, py
    call sum_constants
    mov  constants, sx
    loaded 1
    done OK, 0
.montgomery:
    mov  t, a
    br   Z, bad_modulus         ; A = -2: singular
    isub t, a, one_p
    br   Z, bad_modulus         ; A = 2
    mul  gx, px, r2p
    sub  gy, gx, gx
    setc c0, PBITS-1
    call power_of_two
    mov  b, sx                  ; lower bound of the scalars of X_LADDER
    .assume b modp ; 2^(bits(p) - 1) < p, as checked above
    call sum_constants
    mov  constants, sx
    loaded 1
    done OK, 0

bad_modulus:
    done BAD_MODULUS, 0
