; ECDSA verification (FIPS 186-5).
; in    operands: hash e, r, s, public key x, y
; It needs no final inversion: x mod n = r if and only if X = r Z^2, or X = (r + n) Z^2 with r + n < p.
.entry ECDSA_VERIFY job_verify
.routine job_verify
.reg rs, z2, t, v
    chk  5
    ld   k, 2
    call check_private
    fail B, BAD_SIGNATURE
    call times_r2n
    mov  base, k
    ld   k, 1
    call check_private
    fail B, BAD_SIGNATURE
    mov  rs, k
    ld   px, 3
    ld   py, 4
    call load_point
    ld   k, 0
    call reduce_scalar
    call fermat_inverse_n       ; R / s
    mov  sx, base
    call mont
    mov  t, k                   ; e / s
    mov  k, rs
    call mont                   ; r / s
    mov  base, t
    call joint_mul
    isub t, rs, p               ; no x equals r if p <= r < n
    fail !C, BAD_SIGNATURE
    canon t, jz
    fail Z, BAD_SIGNATURE       ; infinity
    mul  z2, jz, jz
    enter z2                    ; the other factors are integers
    mul  t, rs, z2
    isub v, p, n
    setb !C
    csel v, zero, v             ; r + n < p if and only if r < v
    isub v, rs, v
    setb C
    iadd v, rs, n
    csel v, rs, v               ; r + n, or r again
    mul  v, v, z2
    sub  t, t, jx
    sub  v, v, jx
    canon t, t
    setb Z
    canon v, v
    setb B|Z
    fail !B, BAD_SIGNATURE
    done OK, 0
