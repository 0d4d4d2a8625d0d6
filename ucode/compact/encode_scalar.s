; The number whose bits the ladder takes: the even one of k and N - k, plus N or 2N so that its top bit is bit bits(N). With the
; flag BLIND: plus rho N, rho = 2^66 + 4 * (64 bits of slot DRAW) + 1, 67 bits longer than N in every case. rho = 1 modulo 4
; keeps the prefixes away from 0 and -1 modulo N (docs/ladder.md).
; in    k in [0, N), integer, secret
; out   encoded, long; even: the even one of k and N - k. Slot SCALAR is overwritten.
.routine encode_scalar
.in k
.out encoded even
.reg t, wide
    st   SCALAR, k
    setc c1, 0
    ldb  SCALAR, c1             ; B = k is odd
    isub t, ord, k
    csel even, k, t             ; the even one of k, N - k
    isub t, even, ord_gap       ; C = even + N < 2^bits(N)
    setb C
    movl encoded, zero
    iadd encoded, even, ord
    iadd t, encoded, ord
    csel encoded, encoded, t    ; bit bits(N) of it is set, and known: it need not be stored
    .assume encoded long ; the upper digits are those of zero
    br   !FBLIND, .encoded

    movl encoded, ord
    setc c1, 63
.rho:
    ldb  DRAW, c1
    iaddl encoded, encoded, encoded
    caddl encoded, encoded, ord
    loop c1, .rho
    iaddl encoded, encoded, encoded
    iaddl encoded, encoded, encoded
    iaddl encoded, encoded, ord
    movl wide, zero
    mov  wide, even
    .assume wide long ; the upper digits are those of zero
    iaddl encoded, encoded, wide
    st   SCALAR, encoded
    setc c1, NBITS+66
    ldb  SCALAR, c1
    setb !B
    caddl encoded, encoded, ord66
    movl wide, zero
.encoded:
    isub t, zero, zero
    ret
