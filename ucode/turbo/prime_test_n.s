; Euler's test of n to the base 3: B = 3^((n - 1) / 2) is 1 or -1 modulo n. Every prime above 3 passes, and so do the Euler
; pseudoprimes to the base 3.
; in    slot PUBLIC = n, n odd, n > 1, ninv and r2n
; cost  bits(n) S, of 3 products each; variable time
.routine prime_test_n_var
.uniform ; the job is exclusive: all threads have its operands
.reg unit, t, lo
    mov  px, one
    call mont_r2n               ; R mod n
    mov  unit, k
    setc c0, NBITS-1
    setc c1, NBITS-2
.bit:                           ; the bits of n above bit 0 are (n - 1) / 2
    mov  sx, k
    call mont
    ldb  PUBLIC, c0
    br   !B, .next
    add_n t, k, k
    add_n k, k, t
.next:
    loop c0, .down
.down:
    loop c1, .bit
    isub t, k, unit
    setb Z
    add_n t, k, unit
    setb B|Z
    ret
