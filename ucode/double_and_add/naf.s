; The non-adjacent form: digit i - 1 of k is bit i of 3 k minus bit i of k, for i from 1 to bits(N) + 1.
; After G. Reitwiesner, Binary arithmetic, 1960.
.slot TRIPLE = 6
.slot TRIPLE_BASE = 7

; Slot `triple` = 3 times slot `scalar`. Modulus 1 selected.
.macro recode scalar_slot, triple
    .reg one_k, three_k
    ld   one_k, scalar_slot
    iaddl three_k, one_k, one_k
    iaddl three_k, three_k, one_k
    st   triple, three_k
.endmacro
; c0 = i of the first digit, c1 = i - 1. The loops over the digits end after c1 = 0.
.macro first_digit
    setc c0, NBITS+1
    setc c1, NBITS
.endmacro
; Reads digit i - 1: B = it is not 0, P = it is 1.
.macro digit scalar_slot, triple
    ldbx scalar_slot, c0
    ldbx triple, c0
.endmacro
