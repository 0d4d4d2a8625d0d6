; The curve's field: slot DEGREE = m - 1, 0 and 1 as elements, and whether z^m of the field unit is the operand p.
; in    modulus 1 selected, slot 1 = p, the build has a field of degree m;  out modulus 0 selected. Ends the job with BAD_MODULUS.
.routine curve_field
.out one_p zero_p
.reg t, u
    isub t, zero, zero
    setc c0, PBITS-2
.degree:
    iadd t, t, one
    loop c0, .degree
    st   DEGREE, t
    iadd u, one, one
    st   PUBLIC, u
    mod  0
    ld   t, PUBLIC
    .assume t modp ; z, and m > 1
    wipe PUBLIC
    ld   zero_p, PUBLIC
    .assume zero_p modp ; 0
    put1 PUBLIC
    ld   one_p, PUBLIC
    .assume one_p modp ; 1
    mov  u, one_p
    setc c0, PBITS-1
.power:
    mul  u, u, t
    loop c0, .power
    ld   t, 1
    br   C, bad_modulus
    .assume t modp ; C is 0
    add  t, t, u
    br   !Z, bad_modulus
    ret
