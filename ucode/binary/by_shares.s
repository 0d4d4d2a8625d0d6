; ECDH and KEYGEN with the flag BLIND: the ladder takes the two shares of the key, which are never added.
.macro ecdh_by_shares
    br   !FBLIND, ecdh_whole
    iadd sx, short, zero
    br   !Z, ecdh_shares
.endmacro
.macro keygen_by_shares
    br   !FBLIND, keygen_whole
    iadd sx, short, zero
    br   !Z, keygen_shares
.endmacro
.macro take_shares
    mov  part, share
    mov  part2, mask
    isub share, zero, zero
    isub mask, zero, zero
.endmacro
.routine ecdh_shares
.in share mask
    .assume share modn ; by contract
    .assume mask modn ; by contract
    take_shares
    br   !FCOFACTOR, .point     ; Multiples of h have 0 in the two lowest bits that encode_scalar reads.
    add  part, part, part
    add  part2, part2, part2
    br   TWOFOLD, .point
    add  part, part, part
    add  part2, part2, part2
.point:
    mod  0
    load_element px, 0
    load_element py, 1
    curve_equation
    draw_bits
    br   !Z, not_on_curve
    wipe SCALAR
    load_scalar
    load_z
    call shares_mul
    end_ecdh

.routine keygen_shares
.in share mask
    take_shares
    wipe SCALAR                 ; the two lowest bits do not matter: G has order n
    mod  0
    load_scalar
    select_base_point
    affine_sums
    draw_z
    call shares_mul
    jmp  return_multiple
