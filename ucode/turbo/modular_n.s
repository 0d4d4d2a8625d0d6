; Arithmetic modulo n, in registers lo, hi, mm of the routine that uses it.
;
; Montgomery product rd = ra rb / R mod n, 0 <= rd < n if ra rb < n R (Montgomery 1985, with + n^-1, so that the low
; words cancel and leave no carry): ra rb = hi R + lo, m = lo / n mod R, rd = hi - floor(m n / R), + n if negative.
.macro mont_n rd, ra, rb
    mull lo, ra, rb
    mulh hi, ra, rb
    mull mm, lo, ninv
    mulh mm, mm, n
    isub rd, hi, mm
    caddc rd, rd, n
.endmacro
; rd = ra + rb mod n for operands below n
.macro add_n rd, ra, rb
    isub lo, n, rb
    isub rd, ra, lo
    caddc rd, rd, n
.endmacro
