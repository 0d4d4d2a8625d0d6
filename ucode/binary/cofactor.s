; The cofactor h = floor(N / n), or 1 if that is 0, by long division, bit by bit. All values are public.
; in    modulus 1 selected
; out   slot FACTOR = h, shifted so that its top bit is bit bits(N) - 1; slot FACTOR_END marks bit 0 of h there;
;       h_inv = M(1/h)
.routine cofactor
.clobber exponent base
.out h_inv base power power2 power3 power5 power7
.reg t, rest, h, mark
    st   PUBLIC, ord
    isub rest, zero, zero
    isub h, zero, zero
    setc c0, NBITS-1
.bit:
    iadd rest, rest, rest
    iadd h, h, h
    ldb  PUBLIC, c0
    cadd rest, rest, one
    isub t, rest, n
    setb !C
    csel rest, rest, t
    cadd h, h, one
    loop c0, .bit
    iadd t, h, zero
    setb Z
    cadd h, h, one
    mov  base, h
    call fermat_inverse_n
    mov  h_inv, base
    .assume h_inv modn ; below n
    mov  mark, one
    setc c0, NBITS-1
.shift:
    st   FACTOR, h
    ldb  FACTOR, c0
    br   B, .placed
    iadd h, h, h
    iadd mark, mark, mark
    jmp  .shift
.placed:
    st   FACTOR_END, mark
    ret

; End of CURVE_LOAD: the condition TWOFOLD says that N = 2 n.
.routine curve_loaded
    mod  1
    isub t, ord, n
    isub t, t, n
    br   Z, .twofold
    loaded 1
    done OK, 0
.twofold:
    loaded 3
    done OK, 0
