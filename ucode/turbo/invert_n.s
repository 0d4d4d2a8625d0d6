; Inversion modulo n by Fermat's theorem, as fermat_inverse; the inverse of 0 is 0.
; in    base = x R mod n
; out   base = R / x mod n
; cost  bits(n) S + about (bits(n) / 7 + 10) M, of 3 products each: 255 S + 43 M for P-256

; Stores base as entry j and reloads base from it, without a borrow (C = 0).
.macro keep j
    caddc ones+j, base, n
    isub base, ones+j, zero
    isub gaps+j, n, ones+j
.endmacro
.routine fermat_inverse_n
.uniform ; bits and X are those of n - 2
.in base
.out base
.clobber exponent ones gaps     ; ones+j = base^(2^L - 1) for L = 1, 2, 3, 4, 8, 16, 32
    mulw ones, zero, zero       ; what a job with secrets has left; X is never 0
    mulw ones+2, zero, zero
    mulw ones+4, zero, zero
    mulw ones+6, zero, zero
    mulw gaps, zero, zero
    mulw gaps+2, zero, zero
    mulw gaps+4, zero, zero
    mulw gaps+6, zero, zero
invert_secret_n:                ; where the result is secret anyway
    isub base, base, zero
    keep 1
    setx 1
    call square_n
    call mul_n
    keep 2
    call square_n
    call mul_n
    keep 3
    call square_n
    call mul_n
    keep 4
    setx 4
    setc c0, 3
.four:
    call square_n
    loop c0, .four
    call mul_n
    keep 5
    setx 5
    setc c0, 7
.eight:
    call square_n
    loop c0, .eight
    call mul_n
    keep 6
    setx 6
    setc c0, 15
.sixteen:
    call square_n
    loop c0, .sixteen
    call mul_n
    keep 7
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
    movx base, ones
    isub base, base, zero
    jmp  .count
.bit:
    call square_n
    ldb  N_STEPS, c0
    br   !B, .next
    call mul_n
.count:
    loop c1, .c1
.c1:
    loop c1, .c2
.c2:
    loop c1, .c3
.c3:
    loop c1, .run
.run:
    ldx  N_RUNS, c1
.next:
    loop c0, .bit
    caddc base, base, n
    ret
