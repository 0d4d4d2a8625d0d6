; ECDSA verification (FIPS 186-5).
; in    operands: hash e, r, s, public key x, y
; It needs no final inversion: x(R) mod n = r if and only if X = (r + j n) Z^2 for some r + j n < p.
.entry ECDSA_VERIFY job_verify
.routine job_verify
.reg e, r, s, t, z2
    br   MONT, bad_curve
    chk  5
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
    ld   px, 3
    ld   py, 4
    call load_point
    mod  1
    mul  base, s, r2n
    call fermat_inverse_n       ; M(1/s)
    .assume base modn ; below n
    ld   e, 0
    mul  t, e, r2n
    mul  t, t, base
    mul  t, t, one              ; u1 = e / s
    st   PUBLIC, t
    ld   r, 1                   ; read again: there is no register to keep it in
    mul  t, r, r2n
    mul  t, t, base
    mul  t, t, one              ; u2 = r / s
    st   PUBLIC2, t
    call joint_mul_var
    iadd t, jz, zero
    br   Z, bad_signature
    ld   r, 1
    mul  z2, jz, jz
.candidate:
    isub t, r, p
    br   !C, bad_signature      ; no candidate left
    mul  t, r, r2p
    mul  t, t, z2
    isub t, t, jx
    br   Z, .valid
    iadd r, r, n
    br   C, bad_signature
    jmp  .candidate
.valid:
    done OK, 0
bad_signature:
    done BAD_SIGNATURE, 0
