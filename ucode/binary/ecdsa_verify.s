; ECDSA verification (FIPS 186-5). Operands: hash e, r, s, public key x, y.
.entry ECDSA_VERIFY job_verify
.routine job_verify
.reg r, s, t
    chk  5
    mod  1
    ld   s, 2
    isub t, s, n
    br   !C, bad_signature
    iadd t, s, zero
    br   Z, bad_signature
    ld   r, 1
    isub t, r, n
    br   !C, bad_signature
    iadd t, r, zero
    br   Z, bad_signature
    mod  0
    load_element px, 3
    load_element py, 4
    curve_equation
    br   !Z, not_on_curve
    mod  1
    mul  base, s, r2n
    call fermat_inverse_n       ; M(1/s)
    .assume base modn ; below n
    mul  r, r, r2n
    mul  r, r, base
    ld   t, 0
    mul  t, t, r2n
    mul  t, t, base
    mul  r, r, one              ; u2 = r / s
    mul  t, t, one              ; u1 = e / s
    st   SCALAR, r
    st   PUBLIC, t
    mod  0
    load_scalar
    call joint_mul_var
    br   B, bad_signature
    st   SCALAR, qx
    mod  1
    ld   t, SCALAR
    mul  t, t, r2n
    ld   r, 1                   ; again: fermat_inverse_n needed the register
    mul  t, t, one              ; x mod n
    isub t, t, r
    br   !Z, bad_signature
    done OK, 0
bad_signature:
    done BAD_SIGNATURE, 0
