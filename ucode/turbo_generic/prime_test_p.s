; Euler's test of p to the base 3: B = 3^((p - 1) / 2) is 1 or -1 modulo p. Every prime above 3 passes, and so do the Euler
; pseudoprimes to the base 3.
; in    slot PUBLIC = p, p odd, constants of the arithmetic mod p
; cost  bits(p) S; variable time
.routine prime_test_p_var
.uniform ; the job is exclusive: all threads have its operands
.reg acc, t
    mov  acc, one_p
    setc c0, PBITS-1
    setc c1, PBITS-2
.bit:                           ; the bits of p above bit 0 are (p - 1) / 2
    mul  acc, acc, acc
    ldb  PUBLIC, c0
    br   !B, .next
    add  t, acc, acc
    add  acc, acc, t
.next:
    loop c0, .down
.down:
    loop c1, .bit
    sub  t, acc, one_p
    canon t, t
    setb Z
    add  t, acc, one_p
    canon t, t
    setb B|Z
    ret
