; Euler's test of n to the base 3: B = 3^((n - 1) / 2) is 1 or -1 modulo n. Every prime above 3 passes, and so do the Euler
; pseudoprimes to the base 3.
; in    slot PUBLIC = n, n odd, n > 1, ninv and r2n
; cost  bits(n) S, of 3 products each; variable time
.routine prime_test_n_var
.uniform ; the job is exclusive: all threads have its operands
.reg acc, unit, t, lo, mm
    mont_n unit, one, r2n       ; R mod n
    mov  acc, unit
    setc c0, NBITS-1
    setc c1, NBITS-2
.bit:                           ; the bits of n above bit 0 are (n - 1) / 2
    mont_n acc, acc, acc
    ldb  PUBLIC, c0
    br   !B, .next
    add_n t, acc, acc
    add_n acc, acc, t
.next:
    loop c0, .down
.down:
    loop c1, .bit
    isub t, acc, unit
    setb Z
    add_n t, acc, unit
    setb B|Z
    ret
