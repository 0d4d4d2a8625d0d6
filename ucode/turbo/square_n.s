; base = base^2 / R mod n. The value of base is x = base - C R, -n < x < n, where C is the borrow of the subtraction that
; made it: n is not added here, the next product would have to wait for that.
;   floor(x^2 / R) = floor(base^2 / R) - C (2 base - R), and R = 0 for the register
; So it is where a register has just the bits of R; else (bit bits(register) - 1 of N_STEPS) n is added first.
; cost  3 M
.routine square_n
.uniform ; the bit is the same in all threads
.in base
.out base
.block ab, 2, align 2 = 40       ; registers that callers have no use for here
.reg mm = 47
.reg z = 46
.reg t = 45
    setc c2, RBITS-1
    ldb  N_STEPS, c2
    br   B, .wide
    mulw ab, base, base
    caddc z, zero, base
    mull mm, ab, ninv
    isub t, ab+1, z
    isub t, t, z
    mulh mm, mm, n
    isub base, t, mm
    ret
.wide:
    caddc base, base, n
    mulw ab, base, base
    mull mm, ab, ninv
    mulh mm, mm, n
    isub base, ab+1, mm
    ret
; base = base * exponent / R mod n, operands in [0, n), the result as above.
.routine mul_n
.in base exponent
.out base
    mulw ab, base, exponent
    mull mm, ab, ninv
    mulh mm, mm, n
    isub base, ab+1, mm
    ret
