; Digits of a secret k for the Frobenius map: k = r modulo delta, where both coordinates of r are odd.
;
; in    slot SCALAR = k < 2^bits(N), secret
; out   slots FIRST, SECOND; modulus 1 selected; SCALAR = 0
; cost  6 M, 5 additions modulo n or n + 2^64, 4 stores
; After J. A. Solinas, Efficient arithmetic on Koblitz curves, 2000. r = x delta / n is exact: it is computed modulo
; n + 2^64, where 1 / n = -2^-64, and r + 2^L > 0 is small. eccelerate/model/koblitz.py shows why it is odd, and how large.
.routine koblitz_digits
.out k n
.reg x, y, u, v, w
    mod  1
    known first_s
    known second_s
    known first_d
    known second_d
    known sum_d
    known top
    .assume lift int ; CURVE_LOAD made it
    .assume lifted int ; CURVE_LOAD made it
    ld   k, SCALAR
    mul  x, k, first_s          ; x = k s modulo n
    mul  y, k, second_s
    wipe SCALAR
    st   FIRST, x
    st   SECOND, y
    setc c0, 0
    ldbn FIRST, c0
    cadd x, x, lift             ; if x is even: x - n = x + 2^64 modulo n + 2^64
    ldbn SECOND, c0
    cadd y, y, lift
    select_lifted
    mul  u, x, first_d
    mul  w, y, second_d
    mul  v, x, second_d
    mul  x, y, sum_d
    sub  u, u, w
    sub  u, u, w                ; first coordinate: x delta_1 - 2 y delta_2
    add  u, u, top
    add  v, v, x                ; second coordinate: x delta_2 + y (delta_1 + mu delta_2)
    add  v, v, top
    st   FIRST, u
    st   SECOND, v
    select_unlifted
    isub k, k, k
    isub x, x, x
    isub y, y, y
    isub u, u, u
    isub v, v, v
    isub w, w, w
    ret
