; The curve's field: checks that z^m in the field unit is the operand p, and that f = z^m + p is irreducible. Otherwise the
; job ends with BAD_MODULUS.
; in    modulus 1 selected, slot 1 = p; the build has a field of degree m
; out   slot DEGREE = m - 1, the elements 0 and 1; modulus 0 selected
; f is irreducible if and only if
;   - it divides z^(2^m) + z: then it is a product of different factors whose degrees divide m, and
;   - it has no factor in common with any z^(2^d) + z, 0 < d < m: this holds if their product w satisfies
;     w w^(2^m - 2) = 1 (Rabin's test without a gcd).
.routine curve_field
.out polynomial one_p zero_p inv t1 t3
.reg t, u, z, w
    isub t, zero, zero
    setc c0, PBITS-2
.degree:
    iadd t, t, one
    loop c0, .degree
    st   DEGREE, t
    iadd u, one, one
    st   PUBLIC, u
    mod  0
    ld   polynomial, 1
    br   C, bad_modulus
    .assume polynomial modp ; C is 0
    ld   z, PUBLIC
    .assume z modp ; m > 1
    wipe PUBLIC
    ld   zero_p, PUBLIC
    .assume zero_p modp ; 0
    put1 PUBLIC
    ld   one_p, PUBLIC
    .assume one_p modp ; 1
    mov  u, one_p
    setc c0, PBITS-1
.power:
    mul  u, u, z
    loop c0, .power
    add  t, polynomial, u
    br   !Z, bad_modulus

    mov  u, z
    mov  w, one_p
    setc c0, PBITS-2
.factors:
    mul  u, u, u
    add  t, u, z
    mul  w, w, t
    loop c0, .factors
    mul  u, u, u
    add  t, u, z
    br   !Z, bad_modulus
    mov  inv, w
    recip
    mul  t, w, inv
    add  t, t, one_p
    br   !Z, bad_modulus
    ret
