; Inversion in GF(2^m): x^-1 = (x^(2^(m-1) - 1))^2, by the prefixes e of m - 1 from the top, which counter 3 counts:
; x^(2^2e - 1) = (x^(2^e - 1))^(2^e) x^(2^e - 1), and x^(2^(e+1) - 1) = (x^(2^e - 1))^2 x for each bit that is set.
; in    inv = x;  out inv = 1/x, 0 for 0. Modulus 0 selected, m > 4. DRAW is wiped while the longest row of squares runs.
; cost  m squares in a row each, bits(m) + weight(m - 1) products. After T. Itoh, S. Tsujii, Inf. Comput. 78 (1988)
.routine invert
; invert_rows: behind a call of first_row, where that is to be done while the unit computes.
.in inv
.out inv
.reg acc, t
    setc c3, 8
    call first_row
invert_rows:
    mov  acc, inv
    .assume acc modp ; by contract
.row:
    sqr  t, acc
    loop c3, .more              ; ODD: of the prefix to come
    wipe DRAW
    ldb  DEGREE, c3
    mul  acc, acc, t
    br   !B, .last
    mul  t, acc, acc
    mul  acc, t, inv
.last:
    mul  inv, acc, acc
    ret
.more:
    mul  acc, acc, t
    br   !ODD, .row
    mul  t, acc, acc
    mul  acc, t, inv
    jmp  .row
