; Inversion modulo n by Fermat, as fermat_inverse; 0 for 0.
; in    base = x R mod n;  out base = R / x mod n
; cost  bits(n) S + about (bits(n) / 6 + 10) M, of 3 products each: 255 S + 43 M for P-256
.macro keep entry               ; base as an entry of the table
    caddc base, base, n
    mov  entry, base
    isub base, base, zero
.endmacro
.routine fermat_inverse_n
.uniform ; bits and X are those of n - 2
.in base
.out base
.clobber exponent pt
.block ones, 7, align 8 = 48    ; ones+j = base^(2^(2^(j-1)) - 1)
    mov  ones, one              ; X is never 0
    mov  ones+1, base
    isub base, base, zero
    call square_n
    caddc base, base, n
    mov  exponent, ones+1
    call mul_n
    keep ones+2
    setc c0, 1
.two:
    call square_n
    loop c0, .two
    caddc base, base, n
    mov  exponent, ones+2
    call mul_n
    keep ones+3
    setc c0, 3
.four:
    call square_n
    loop c0, .four
    caddc base, base, n
    mov  exponent, ones+3
    call mul_n
    keep ones+4
    setc c0, 7
.eight:
    call square_n
    loop c0, .eight
    caddc base, base, n
    mov  exponent, ones+4
    call mul_n
    keep ones+5
    setc c0, 15
.sixteen:
    call square_n
    loop c0, .sixteen
    caddc base, base, n
    mov  exponent, ones+5
    call mul_n
    keep ones+6
    setc c0, NBITS-1
    setc c1, RBITS-1
.lead:
    ldb  N_STEPS, c0
    br   B, .first
    loop c0, .lead
.first:
    ldx  N_RUNS, c1
    movx base, ones
    isub base, base, zero
    jmp  .count
.bit:
    call square_n
    ldb  N_STEPS, c0
    br   !B, .next
    ldx  N_RUNS, c1
    caddc base, base, n
    movx exponent, ones
    call mul_n
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
    caddc base, base, n
    ret
