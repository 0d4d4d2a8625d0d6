; Euler's test of the selected modulus m to the base 3: B = 3^((m - 1) / 2) is 1 or -1 modulo m.
; Every prime above 3 passes, and so do the Euler pseudoprimes to the base 3. For m = 3 mod 4 it is the test of Miller and Rabin.
; in    unit = M(1), modulus selected, slot PUBLIC = m, m odd, m > 1; c0 = number of a bit at or above the highest one of m,
;       c1 = c0 - 1
; cost  bits(m) S; variable time
.routine prime_test_var
.in unit
.reg acc, t
    mov  acc, unit
    .assume acc mod ; copy of unit
    .assume unit mod ; by contract
.bit:                           ; the bits of m above bit 0 are (m - 1) / 2
    mul  acc, acc, acc
    ldb  PUBLIC, c0
    br   !B, .next
    add  t, acc, acc
    add  acc, acc, t
.next:
    loop c0, .down
.down:
    loop c1, .bit
    sub  t, acc, unit
    setb Z
    add  t, acc, unit
    setb B|Z
    ret
