; The scalar of a blinded ladder: (2^92 + high) 2^bits(N) + low for a random high below 2^92; low is below N and makes the whole
; number equal to the scalar modulo N. Only for N = 2 n and N = 4 n.
;
; The whole is k + rho n with a random rho. low takes all values if high, times the distance of 2^bits(N) from a multiple of n,
; has more bits than n; if it has fewer, the bits of k between its top and that of n stay what they are.
; in    part + part2 = k modulo n, slot SCALAR = a number with the two lowest bits of k, slot DRAW, modulus n selected
; out   high, low; slot BLIND is lost
.routine encode_scalar
.in part part2
.out n high low
.reg t
    .assume part int ; by contract
    .assume part2 int ; by contract
    .assume part modn ; by contract
    .assume part2 modn ; by contract
    ld   low, DRAW
    mov  n, short
    mod  1
    .assume low modn ; below R: the product with 1 is below the modulus
    mul  high, low, one
    mov  n, order
    mod  1
    .assume high int ; maybe above n
    iadd t, high, bit92
    mul  low, t, weight
    sub  low, part, low
    add  low, part2, low        ; not part2 where part was, see load_key
    st   BLIND, low
    setc c1, 0
    setp 0
    ldbx SCALAR, c1
    ldbx BLIND, c1              ; B = it is odd, and k is not, or the other way round
    cadd low, low, n
    br   TWOFOLD, .placed
    st   BLIND, low
    setc c1, 1
    setp 0
    ldbx SCALAR, c1
    ldbx BLIND, c1
    iadd t, n, n
    cadd low, low, t
.placed:
    isub t, zero, zero
    ret
