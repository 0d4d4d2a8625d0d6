; The end of CURVE_LOAD: checks that the curve is a Koblitz curve, and derives the constants of the reduction modulo delta.
; The job ends with BAD_MODULUS unless a = 0 or 1, b = 1, m is odd and at least 11, n is the norm of
; delta = (tau^m - 1) / (tau - 1), N = 2 n or 4 n, and G has odd order. The notation is that of eccelerate/model/koblitz.py.

; Reduces x, in two's complement and between -m and m, to 0 .. m - 1, where m is the modulus now in register n.
.macro residue x
    iadd t, x, x
    setb C
    cadd x, x, n
    .assume x modn ; by its bounds
.endmacro
.routine koblitz_curve
.out px py jx jy n lifted lift first_s second_s first_d second_d sum_d top sx
.reg t, u, v, w, d, five, x, y, z
    add  t, b, one_p
    br   !Z, bad_modulus
    mov  t, a
    br   Z, .a
    add  t, a, one_p
    br   !Z, bad_modulus
.a:
    setc c0, 0
    ldb  DEGREE, c0
    br   B, bad_modulus         ; m even
    mov  px, gx
    mov  py, gy
    .assume px modp ; copy of gx
    .assume py modp ; copy of gy
    call in_subgroup_var
    br   !B, bad_modulus

    mov  t, a
    setb Z                      ; B: a = 0
    mod  1
    ld   t, DEGREE
    iadd five, one, one
    iadd five, five, five
    iadd five, five, one
    isub t, t, five
    br   C, bad_modulus
    isub t, t, five
    br   C, bad_modulus

    iadd t, n, n                ; h n
    iadd u, t, t
    csel t, t, u
    isub t, t, ord
    br   !Z, bad_modulus
    setc c0, PBITS-1
    call power_of_two
    ; N is at least 2^(m - 1): of the odd n that are the norm modulo n + 2^64, only the norm itself passes this check.
    isub t, ord, sx
    br   C, bad_modulus

    isub u, zero, zero          ; delta = u + v tau; |u|, |v| < 2^(m/2 + 2)
    isub v, zero, zero
    setc c0, PBITS-1
.power:                         ; times tau, plus 1
    iadd d, v, v
    iadd w, u, v
    isub v, u, v
    csel v, w, v                ; u + mu v
    isub u, one, d
    loop c0, .power
    iadd w, u, v
    isub d, u, v
    csel w, w, d                ; u + mu v

    mov  x, w                   ; the conjugate: w - v tau
    isub y, zero, v
    residue x
    residue y
    mul  first_s, x, r2n
    mul  second_s, y, r2n

    setc c0, 64
    call power_of_two
    mov  lift, sx
    iadd lifted, n, lift
    setc c0, PBITS-4
    call power_of_two
    mov  top, sx
    mov  z, n
    select_lifted
    residue u
    residue v
    residue w
    mul  x, u, w                ; the norm: u (u + mu v) + 2 v^2, and n, over R
    mul  y, v, v
    add  y, y, y
    add  x, x, y
    .assume z modn ; n is below n + 2^64
    mul  z, z, one
    sub  z, z, x
    br   !Z, bad_modulus
    setc c0, RBITS-65
.over_lift:                     ; times R / 2^64
    add  u, u, u
    add  v, v, v
    add  w, w, w
    loop c0, .over_lift
    setc c1, PBITS-11
    jmp  .placed
.place:                         ; times 2^((m - 11) / 2)
    add  u, u, u
    add  v, v, v
    add  w, w, w
    loop c1, .placed
.placed:
    loop c1, .place
    sub  t, t, t
    sub  first_d, t, u
    sub  second_d, t, v
    sub  sum_d, t, w
    select_unlifted
    jmp  curve_loaded
