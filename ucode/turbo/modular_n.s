; Arithmetic modulo n. The macros use registers lo and mm of the routine that calls them.
;
; Montgomery product rd = ra rb / R mod n; 0 <= rd < n if ra rb < n R. After Montgomery 1985, but with + n^-1, so that the low
; words cancel without a carry: ra rb = hi R + lo, m = lo / n mod R, rd = hi - floor(m n / R), plus n if that is negative.
; cost  3 M
.macro mont_n rd, ra, rb
    .block ab, 2, align 2       ; lo, hi
    mulw ab, ra, rb
    mull mm, ab, ninv
    mulh mm, mm, n
    isub rd, ab+1, mm
    caddc rd, rd, n
.endmacro
; rd = ra + rb mod n for operands below n
.macro add_n rd, ra, rb
    isub lo, n, rb
    isub rd, ra, lo
    caddc rd, rd, n
.endmacro
