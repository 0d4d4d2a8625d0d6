; Inversion by Fermat's theorem: x^-1 = x^(p-2); the inverse of 0 is 0.
; in, out  base
; cost     bits(p) S + about (bits(p) / 32 + 11) M: 255 S + 14 M for P-256
.routine fermat_inverse
.uniform ; bits and X are those of p - 2
.in base
.out base
.clobber pt                      ; pt+j = base^(2^L - 1) for L = 1, 2, 3, 4, 8, 16, 32
    mov  pt, one                ; X is never 0
    mov  pt+1, base
    mul  pt+15, base, base
    mul  pt+2, pt+15, base
    mul  pt+15, pt+2, pt+2
    mul  pt+3, pt+15, base
    mul  pt+15, pt+3, pt+3
    mul  pt+4, pt+15, base
    mul  pt+15, pt+4, pt+4
    mul  pt+15, pt+15, pt+15
    mul  pt+15, pt+15, pt+15
    mul  pt+15, pt+15, pt+15
    mul  pt+5, pt+15, pt+4
    mul  pt+15, pt+5, pt+5
    setc c0, 6
.eight:
    mul  pt+15, pt+15, pt+15
    loop c0, .eight
    mul  pt+6, pt+15, pt+5
    mul  pt+15, pt+6, pt+6
    setc c0, 14
.sixteen:
    mul  pt+15, pt+15, pt+15
    loop c0, .sixteen
    mul  pt+7, pt+15, pt+6
    setc c0, PBITS-1
    setc c1, RBITS-1
    ldx  P_RUNS, c1
    setb X==7
    br   !B, .lead
    setc c0, PBITS-32           ; the first run has 32 ones
.lead:
    ldb  P_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    movx pt+15, runs
    jmp  .count
.bit:
    mul  pt+15, pt+15, pt+15
    ldb  P_STEPS, c0
    br   !B, .next
    ldx  P_RUNS, c1
    mulx pt+15, pt+15, runs
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
    mov  base, pt+15
    ret
