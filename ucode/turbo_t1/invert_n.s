; Inversion modulo n by Fermat's theorem, as fermat_inverse; the inverse of 0 is 0. It does not use square_n: here registers
; are scarcer than cycles, a single thread waits for each product anyway, and square_n would save only the latency of a sum.
; in    base = x R mod n
; out   base = R / x mod n
; cost  bits(n) S + about (bits(n) / 4 + 10) M
; Wipes registers of this inversion that the macros at its callers have not wiped.
.macro forget_inverse_n
    .reg r33 = 33
    .reg r38 = 38
    .reg r42 = 42
    .reg r43 = 43
    .reg r44 = 44
    mov  r33, zero
    mov  r38, zero
    mov  r42, zero
    mov  r43, zero
    mov  r44, zero
.endmacro
.routine fermat_inverse_n
.uniform ; bits and X are those of n - 2
.in base
.out base
.block ones, 7, align 8         ; ones+j = base^(2^(2^(j-1)) - 1)
.reg acc, t, lo, mm
    mov  ones, one              ; X is never 0
    mov  ones+1, base
    mont_n acc, base, base
    mont_n ones+2, acc, base
    mont_n acc, ones+2, ones+2
    mont_n acc, acc, acc
    mont_n ones+3, acc, ones+2
    mont_n acc, ones+3, ones+3
    setc c0, 2
.four:
    mont_n acc, acc, acc
    loop c0, .four
    mont_n ones+4, acc, ones+3
    mont_n acc, ones+4, ones+4
    setc c0, 6
.eight:
    mont_n acc, acc, acc
    loop c0, .eight
    mont_n ones+5, acc, ones+4
    mont_n acc, ones+5, ones+5
    setc c0, 14
.sixteen:
    mont_n acc, acc, acc
    loop c0, .sixteen
    mont_n ones+6, acc, ones+5
    setc c0, NBITS-1
    setc c1, RBITS-1
.lead:
    ldb  N_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    ldx  N_RUNS, c1
    movx acc, ones
    jmp  .count
.bit:
    mont_n acc, acc, acc
    ldb  N_STEPS, c0
    br   !B, .next
    ldx  N_RUNS, c1
    movx t, ones
    mont_n acc, acc, t
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
    mov  base, acc
    ret
