; Inversion by Fermat's theorem: x^-1 = x^(p-2); the inverse of 0 is 0.
; in, out  base
; cost     bits(p) S + about (bits(p) / 32 + 10) M: 255 S + 13 M for P-256
.routine fermat_inverse
.uniform ; bits and X are those of p - 2
.in base
.out base
.clobber pt                      ; pt+j = base^(2^(2^(j-1)) - 1)
    call begin_inverse
    mul  pt+15, pt+15, pt+15
    mul  pt+15, pt+15, pt+15
    mul  pt+15, pt+15, pt+15
    mul  pt+4, pt+15, pt+3
    wipe ENTRY_X
    mul  pt+15, pt+4, pt+4
    setc c0, 6
.eight:
    mul  pt+15, pt+15, pt+15
    loop c0, .eight
    mul  pt+5, pt+15, pt+4
    wipe ENTRY_Y
    mul  pt+15, pt+5, pt+5
    setc c0, 14
.sixteen:
    mul  pt+15, pt+15, pt+15
    loop c0, .sixteen
    mul  pt+6, pt+15, pt+5
    wipe SCALAR
    setc c0, PBITS-1
    setc c1, RBITS-1
.lead:
    ldb  P_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    ldx  P_RUNS, c1
    movx pt+15, pt
    jmp  .count
.bit:
    mul  pt+15, pt+15, pt+15
    ldb  P_STEPS, c0
    br   !B, .next
    ldx  P_RUNS, c1
    mulx pt+15, pt+15, pt
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
; The first products of an inversion, and while they run, wipes of what a multiplication has left. The end of jobs uses it for
; its wipes.
.routine begin_inverse
.in base
.out pt
.clobber px py k exponent tz xx sx sy h r c wa
.reg r33 = 33
.reg r36 = 36
.reg r37 = 37
.reg r38 = 38
.reg r40 = 40
.reg r41 = 41
.reg r42 = 42
.reg r43 = 43
.reg r44 = 44
.reg r45 = 45
.reg r46 = 46
.reg r47 = 47
    mov  pt, one                ; X is never 0
    mov  pt+1, base
    mul  pt+15, base, base
    mov  px, zero
    mov  py, zero
    mov  k, zero
    mov  exponent, zero
    mov  tz, zero
    mul  pt+2, pt+15, base
    mov  xx, zero
    mov  sx, zero
    mov  sy, zero
    mov  h, zero
    mov  r, zero
    mov  c, zero
    mul  pt+15, pt+2, pt+2
    mov  wa, zero
    mov  pt+7, zero
    mov  pt+8, zero
    mov  pt+9, zero
    mov  pt+10, zero
    mul  pt+15, pt+15, pt+15
    mov  pt+11, zero
    mov  pt+12, zero
    mov  pt+13, zero
    mov  pt+14, zero
    mov  r33, zero
    mov  r36, zero
    mul  pt+3, pt+15, pt+2
    mov  r37, zero
    mov  r38, zero
    mov  r40, zero
    mov  r41, zero
    mul  pt+15, pt+3, pt+3
    mov  r42, zero
    mov  r43, zero
    mov  r44, zero
    mov  r45, zero
    mov  r46, zero
    mov  r47, zero
    ret
