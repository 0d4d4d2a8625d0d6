; Jobs ECDH and KEYGEN. A key is stored in slot KEY only if it is in range.
;
; The scalar of ECDH is a multiple of the cofactor h, so that the multiple of any point lies in the subgroup of order n, and
; the part of the scalar that a point of small order could show is 0 for all d. It is h (d / h mod n), which is d modulo n;
; with the flag COFACTOR it is h d. Both are below N. For h = 2 the former is d, or d + n for an odd d.
.entry ECDH job_ecdh
.entry KEYGEN job_keygen
.slot GIVEN = 2                 ; operand d of ECDH
.routine job_ecdh
.reg d
    br   FKEY, .key
    chk  3
    .secret GIVEN
    mod  1
    ld   k, GIVEN
    isub sx, k, n
    setc c0, 0
    ldbx GIVEN, c0              ; P = d is odd
    wipe GIVEN
    jmp  .loaded
.key:
    chk  2
    br   !KEY, no_key
    br   !PERMIT, key_refused
    mod  1
    ld   k, KEY
    isub sx, k, n
    setc c0, 0
    ldbx KEY, c0
.loaded:                        ; check_private, whose first difference is already there
    setb !C
    iadd sx, k, zero
    setb B|Z
    .declassify B ; whether the scalar is in range is the status
    br   B, scalar_range
    br   FCOFACTOR, .times
    br   !TWOFOLD, .divide
    setb P
    cadd k, k, n
.point:
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    br   !Z, not_on_curve
    mod  1
    st   SCALAR, k
    isub k, k, k
    isub sx, sx, sx
    mod  0
    load_scalar
    multiply_point
    .declassify Z ; infinity, the multiple of a point of small order, is the status
    br   Z, .exceptional
    .declassify qx ; the shared secret is the result of the job
    st   0, qx
    mov  qx, zero_p
    mov  qy, zero_p
    mov  zs, zero_p
    mov  zd, zero_p
    done OK, 1
.exceptional:
    call refuse
    done EXCEPTIONAL, 0
.divide:
    .assume k modn ; below n
    mul  k, k, h_inv            ; d / h
.times:                         ; times h: 4, the only even h of three bits that begin with 10
    setc c0, NBITS-3
    ldb  FACTOR_END, c0
    br   !B, .any_factor
    setc c0, NBITS-2
    ldb  FACTOR, c0
    br   B, .any_factor
    iadd k, k, k
    iadd k, k, k
    jmp  .point
.any_factor:                    ; any other, by its bits
    mov  d, k
    setc c0, NBITS-1
    jmp  .factor_bit
.factor:
    iadd k, k, k
    ldb  FACTOR, c0
    cadd k, k, d
.factor_bit:
    ldb  FACTOR_END, c0
    br   B, .multiplied
    loop c0, .factor
.multiplied:
    isub d, d, d
    jmp  .point

job_keygen:
    br   FRANDOM, .draw
    chk  1
    .secret SCALAR
    mod  1
    ld   k, SCALAR
    jmp  .check
.draw:
    chk  0
    call random_scalar
    iadd sx, k, zero
    .declassify Z ; a draw of zero ends the job with RETRY
    br   Z, retry
.check:
    call check_private
    st   KEY, k
    keyv 1
    st   SCALAR, k
    isub k, k, k
    isub sx, sx, sx
    mod  0
    load_scalar
    call base_point_mul
    jmp  return_multiple
