; Ends with BAD_MODULUS if the second word of the operand par, in slot 0, has an undefined bit: only the bits 0, 1 and 8
; of that word are defined.
.routine check_kind
.uniform ; CURVE_LOAD is exclusive: all threads have its operands
    setc c0, 63
    setc c1, 63-41
.high:                          ; bits 31 to 9 of the word
    ldb  0, c0
    br   B, .undefined
    loop c0, .after
.after:
    loop c1, .high
    setc c0, 39
    setc c1, 39-34
.low:                           ; bits 7 to 2
    ldb  0, c0
    br   B, .undefined
    loop c0, .next
.next:
    loop c1, .low
    ret
.undefined:
    done BAD_MODULUS, 0
