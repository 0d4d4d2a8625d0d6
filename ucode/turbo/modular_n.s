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
; The same for secret scalars: the last correction is selected from both results. `caddc` would add 0 or n, and the power of an
; addition of 0 would tell which: whether the sum was below n, which says something about the size of a scalar.
.macro select_correction rd, ra
    setb C
    iadd lo, ra, n
    csel rd, ra, lo
.endmacro
.macro mont_n_select rd, ra, rb
    .block ab, 2, align 2
    mulw ab, ra, rb
    mull mm, ab, ninv
    mulh mm, mm, n
    isub mm, ab+1, mm
    select_correction rd, mm
.endmacro
.macro add_n_select rd, ra, rb
    isub lo, n, rb
    isub mm, ra, lo
    select_correction rd, mm
.endmacro
.macro sub_n_select rd, ra, rb
    isub mm, ra, rb
    select_correction rd, mm
.endmacro
