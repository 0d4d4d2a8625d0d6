; Inversion modulo n by Fermat's theorem, as fermat_inverse; the inverse of 0 is 0. In the loop acc has the form that
; turbo/square_n.s explains: the n of its borrow C is added only before a product. A register wider than R has the n added
; at once.
; in    base = x R mod n
; out   base = R / x mod n
; cost  bits(n) S + about (bits(n) / 7 + 10) M
.routine fermat_inverse_n
.uniform ; bits and X are those of n - 2
.in base
.out base
.block ab, 2, align 2
.block ones, 8, align 8         ; ones+j = base^(2^L - 1) for L = 1, 2, 3, 4, 8, 16, 32
.reg acc, t, lo, mm
invert_secret_n:
    mov  ones, one              ; X is never 0
    mov  ones+1, base
    mont_n acc, base, base
    mont_n ones+2, acc, base
    mont_n acc, ones+2, ones+2
    mont_n ones+3, acc, base
    mont_n acc, ones+3, ones+3
    mont_n ones+4, acc, base
    mont_n acc, ones+4, ones+4
    setc c0, 2
.four:
    mont_n acc, acc, acc
    loop c0, .four
    mont_n ones+5, acc, ones+4
    mont_n acc, ones+5, ones+5
    setc c0, 6
.eight:
    mont_n acc, acc, acc
    loop c0, .eight
    mont_n ones+6, acc, ones+5
    mont_n acc, ones+6, ones+6
    setc c0, 14
.sixteen:
    mont_n acc, acc, acc
    loop c0, .sixteen
    mont_n ones+7, acc, ones+6
    setc c0, NBITS-1
    setc c1, RBITS-1
    ldx  N_RUNS, c1
    setb X==7
    br   !B, .lead
    setc c0, NBITS-32           ; the first run has 32 ones
.lead:
    ldb  N_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    movx acc, ones
    isub acc, acc, zero
    setc c2, RBITS-1
    jmp  .count
.bit:
    ldb  N_STEPS, c2
    br   !B, .narrow
    caddc acc, acc, n
    isub acc, acc, zero
.narrow:
    mulw ab, acc, acc
    caddc t, zero, acc
    mull mm, ab, ninv
    isub lo, ab+1, t
    mulh mm, mm, n
    isub lo, lo, t
    isub acc, lo, mm
    ldb  N_STEPS, c0
    br   !B, .next
    caddc acc, acc, n
    ldx  N_RUNS, c1
    movx t, ones
    mulw ab, acc, t
    mull mm, ab, ninv
    mulh mm, mm, n
    isub acc, ab+1, mm
.count:
    loop c1, .c1
.c1:
    loop c1, .c2
.c2:
    loop c1, .c3
.c3:
    loop c1, .next
.next:
    loop c0, .bit
    caddc base, acc, n
    ret
