; Jobs ECDH and KEYGEN. A key is stored in slot KEY only if it is in range.
;
; The scalar of ECDH is a multiple of the cofactor h, so that the multiple of any point lies in the subgroup of order n, and
; the part of the scalar that a point of small order could show is 0 for all d. It is h (d / h mod n), which is d modulo n;
; with the flag COFACTOR it is h d. Both are below N. For h = 2 the former is d, or d + n for an odd d.
.entry ECDH job_ecdh
.entry KEYGEN job_keygen
.slot GIVEN = 2                 ; operand d of ECDH
.routine job_ecdh
    br   FKEY, ecdh_key
    chk  3
    .secret GIVEN
    mod  1
    ld   k, GIVEN
    call check_private
    jmp  ecdh_loaded
ecdh_divide:
    .assume k modn ; below n
    mul  k, k, h_inv            ; d / h
ecdh_times:
    call times_cofactor
    jmp  ecdh_point
ecdh_key:
    chk  2
    br   !KEY, no_key
    br   !PERMIT, key_refused
    call load_key
    ecdh_by_shares
ecdh_whole:
    add  k, share, mask
    isub share, zero, zero
    isub mask, zero, zero
    st   GIVEN, k
ecdh_loaded:
    setc c0, 0
    ldbx GIVEN, c0              ; P = d is odd
    br   FCOFACTOR, ecdh_times
    br   !TWOFOLD, ecdh_divide
    setb P
    cadd k, k, n
ecdh_point:
    wipe GIVEN                  ; while the unit works
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    draw_bits
    br   !Z, not_on_curve
    mod  1
    st   SCALAR, k
    mod  0
    load_scalar
    load_z
    multiply_point              ; wipes k and sx
    end_ecdh

.routine job_keygen
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
    call split_key
    call store_key
    keygen_by_shares
keygen_whole:
    add  k, share, mask
    st   SCALAR, k
    isub share, zero, zero
    isub mask, zero, zero
    isub k, k, k
    isub sx, sx, sx
    mod  0
    load_scalar
    call base_point_mul
    jmp  return_multiple
