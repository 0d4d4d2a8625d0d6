; Inversion by Fermat's theorem: x^-1 = x^(p-2); the inverse of 0 is 0.
; in, out  base
; While products run, it wipes the registers of the multiplication that came before.
; cost     bits(p) S + about (bits(p) / 32 + 10) M: 255 S + 13 M for P-256
.routine fermat_inverse
.uniform ; bits and X are those of p - 2
.in base
.out base
.clobber sz rz px py k exponent tz xx h r c wa pt
.block ones, 7, align 8         ; ones+j = base^(2^(2^(j-1)) - 1)
.reg acc
.reg r33 = 33              ; left by multiplications
.reg r36 = 36
.reg r37 = 37
.reg r38 = 38
    mov  ones, one              ; X is never 0
    mov  ones+1, base
    mul  acc, base, base
    mov  sz, zero
    mov  rz, zero
    mul  ones+2, acc, base
    mov  px, zero
    mov  py, zero
    mul  acc, ones+2, ones+2
    mov  k, zero
    mov  exponent, zero
    mul  acc, acc, acc
    mov  h, zero
    mov  r, zero
    mul  ones+3, acc, ones+2
    mov  c, zero
    mov  wa, zero
    mul  acc, ones+3, ones+3
    wipe ENTRY_X
    mul  acc, acc, acc
    mov  pt+8, zero
    mov  pt+9, zero
    mul  acc, acc, acc
    mov  pt+10, zero
    mov  pt+11, zero
    mul  acc, acc, acc
    mov  pt+12, zero
    mov  pt+13, zero
    mul  ones+4, acc, ones+3
    wipe SCALAR
    mul  acc, ones+4, ones+4
    mov  pt, zero
    mov  pt+1, zero
    setc c0, 6
.eight:
    mul  acc, acc, acc
    mov  r36, zero
    loop c0, .eight
    mul  ones+5, acc, ones+4
    mov  pt+2, zero
    mov  pt+3, zero
    mul  acc, ones+5, ones+5
    mov  pt+4, zero
    mov  pt+5, zero
    wipe ENTRY_Y
    setc c0, 14
.sixteen:
    mul  acc, acc, acc
    mov  r37, zero
    loop c0, .sixteen
    mul  ones+6, acc, ones+5
    mov  pt+6, zero
    mov  pt+7, zero
    mov  r33, zero
    setc c0, PBITS-1
    setc c1, RBITS-1
.lead:
    ldb  P_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    ldx  P_RUNS, c1
    movx acc, ones
    mov  r38, zero
    mov  tz, zero
    mov  xx, zero
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
