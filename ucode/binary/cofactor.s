; The cofactor h = floor(N / n), or 1 if that is 0, by long division, bit by bit. All values are public.
; in    modulus 1 selected; slot 7, an operand, is lost
; out   cofactor_bits = h, shifted so that its top bit is bit bits(N) - 1; cofactor_end marks bit 0 of h there;
;       h_inv = M(1/h)
.routine cofactor
.clobber exponent base
.out h_inv cofactor_bits cofactor_end base power power2 power3 power5 power7
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
    st   7, h
    ldb  7, c0
    br   B, .placed
    iadd h, h, h
    iadd mark, mark, mark
    jmp  .shift
.placed:
    mov  cofactor_bits, h
    mov  cofactor_end, mark
    ret

; End of CURVE_LOAD: the condition TWOFOLD says that N = 2 n.
.routine curve_loaded
.out sx constants constants_n short weight order bit92
    mod  1
    mov  order, n
    mov  weight, one_n
    .assume weight modn ; copy
    setc c0, NBITS-1
.weight:
    add  weight, weight, weight
    loop c0, .weight
    isub bit92, zero, zero
    isub short, zero, zero      ; for other cofactors than 2 and 4, and for short elements
    isub t, ord, n
    isub t, t, n
    br   Z, .short
    isub t, t, n
    isub t, t, n
    br   !Z, .sums
.short:
    setc c0, 92
    call power_of_two
    mov  bit92, sx
    br   Z, .sums
    st   PUBLIC, n
    isub t, zero, zero
    setc c0, 63
.low:
    iadd t, t, t
    ldb  PUBLIC, c0
    cadd t, t, one
    loop c0, .low
    setc c0, 64
    call power_of_two
    isub short, bit92, sx
    iadd short, short, t        ; 2^92 - 2^64 + (n modulo 2^64)
.sums:
    sum_constants
    mov  constants, sx
    mov  constants_n, r2n
    isub t, ord, n
    isub t, t, n
    br   Z, .twofold
    loaded 1
    done OK, 0
.twofold:
    loaded 3
    done OK, 0
