; base = base^2 / R mod n. The value of base is x = base - C R, -n < x < n, where C is the borrow of the subtraction that
; produced it. n is not added then, because the next product would have to wait for that addition. With R = 0 for the
; register,
;   floor(x^2 / R) = floor(base^2 / R) - C (2 base - R).
; This holds if a register has exactly the bits of R. Otherwise (bit bits(register) - 1 of N_STEPS) n is added first.
; At the same time it sets exponent = ones+X, for mul_n.
; cost  3 M
.global_block ones, 8, align 8 = 48 ; the table of fermat_inverse_n
.global_block gaps, 8, align 8 = 56 ; gaps+j = n - ones+j
.routine square_n
.uniform ; the bit is the same in all threads
.in base ones
.out base exponent
.block ab, 2, align 2 = 40      ; registers that callers have no use for here
.reg gap = 44
.reg t = 45
.reg z = 46
.reg mm = 47
    setc c2, RBITS-1
    ldb  N_STEPS, c2
    br   B, .wide
    mulw ab, base, base
    caddc z, zero, base
    mull mm, ab, ninv
    movx exponent, ones
    isub t, ab+1, z
    mulh mm, mm, n
    isub t, t, z
    isub base, t, mm
    ret
.wide:
    caddc base, base, n
    mulw ab, base, base
    movx exponent, ones
    mull mm, ab, ninv
    mulh mm, mm, n
    isub base, ab+1, mm
    ret
; base = base * exponent / R mod n for the X of the last square_n. The result has the form above. If x < 0, n is added:
;   floor(x exponent / R) + n = floor(base exponent / R) + n - exponent, in [0, n]
; cost  3 M
.routine mul_n
.uniform ; as square_n
.in base exponent gaps
.out base
    setc c2, RBITS-1
    ldb  N_STEPS, c2
    br   B, .wide_factor
    mulw ab, base, exponent
    mull mm, ab, ninv
    movx gap, gaps
    caddc base, ab+1, gap
    mulh mm, mm, n
    isub base, base, mm
    ret
.wide_factor:
    caddc base, base, n
    mulw ab, base, exponent
    mull mm, ab, ninv
    mulh mm, mm, n
    isub base, ab+1, mm
    ret
