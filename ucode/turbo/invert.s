; Inversion by Fermat's theorem: x^-1 = x^(p-2); the inverse of 0 is 0.
; in, out  base
; cost     bits(p) S + about (bits(p) / 32 + 10) M: 255 S + 13 M for P-256
.routine fermat_inverse
.uniform ; bits and X are those of p - 2
.in base
.out base
.clobber px py k exponent tz xx h r c wa pt
.block ones, 7, align 8         ; ones+j = base^(2^(2^(j-1)) - 1)
.reg acc
    mov  ones, one              ; X is never 0
    mov  ones+1, base
    mul  acc, base, base
    mul  ones+2, acc, base
    mul  acc, ones+2, ones+2
    mul  acc, acc, acc
    mul  ones+3, acc, ones+2
    mul  acc, ones+3, ones+3
    mul  acc, acc, acc
    mul  acc, acc, acc
    mul  acc, acc, acc
    mul  ones+4, acc, ones+3
    mul  acc, ones+4, ones+4
    setc c0, 6
.eight:
    mul  acc, acc, acc
    loop c0, .eight
    mul  ones+5, acc, ones+4
    mul  acc, ones+5, ones+5
    setc c0, 14
.sixteen:
    mul  acc, acc, acc
    loop c0, .sixteen
    mul  ones+6, acc, ones+5
    setc c0, PBITS-1
    setc c1, RBITS-1
.lead:
    ldb  P_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    ldx  P_RUNS, c1
    movx acc, ones
    jmp  .count
.bit:
    mul  acc, acc, acc
    ldb  P_STEPS, c0
    br   !B, .next
    ldx  P_RUNS, c1
    mulx acc, acc, ones
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
