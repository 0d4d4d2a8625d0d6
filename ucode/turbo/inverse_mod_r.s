; Inverse modulo R of an odd integer by Newton's iteration: x = k is correct in 3 bits, and x (2 - k x) in twice as many.
; in    k odd, below R
; out   base = k^-1 mod R
.routine inverse_mod_r
.in k
.out base
.clobber sx
.reg t, u, two
    setc c0, PBITS
    call power_of_two           ; R, or 0 if R needs one bit more than a register has
    iadd two, one, one
    mov  base, k
    setc c1, 7
.newton:
    mull t, k, base
    isub t, sx, t
    mull t, t, base
    mull u, two, base
    iadd u, u, t                ; 2 x + x (R - k x)
    isub t, u, sx
    setb C
    csel base, t, u
    loop c1, .newton
    ret
