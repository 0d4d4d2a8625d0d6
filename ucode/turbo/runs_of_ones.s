; Divides an odd exponent e into runs of ones of length 1, 2, 3, 4, 8, 16 or 32, always the longest that fits, for power_by_runs:
; x^e takes one squaring for each bit, and a product by x^(2^L - 1) after the last bit of each run of length L. The run of three saves P-256 five products of 42,
; and costs one.
; in    exponent = e
; out   sx: bit i is 1 if a run ends at bit i of e; sy: which of these lengths each run has, 1 to 7 in 4 bits, the first run in
;       the top bits
.routine runs_of_ones
.uniform ; the exponent is public and the same in all threads
.in exponent
.out sx sy
.clobber exponent sz
.reg t, u
    mov  sx, zero
    mov  sy, zero
.align:                         ; shift the highest 1 to the top of the register
    iadd t, exponent, exponent
    br   C, .next
    mov  exponent, t
    jmp  .align
.next:
    mov  sz, zero
    setc c1, 0
    call extend_run
    br   !B, .none
    setc c1, 0
    call extend_run
    br   !B, .run
    setc c1, 0
    call extend_run
    br   !B, .run
    setc c1, 0
    call extend_run
    br   !B, .run
    setc c1, 3
    call extend_run
    br   !B, .run
    setc c1, 7
    call extend_run
    br   !B, .run
    setc c1, 15
    call extend_run
.run:
    iadd sx, sx, one
    setc c1, 3
.four:
    iadd sy, sy, sy
    loop c1, .four
    iadd sy, sy, sz
    jmp  .check
.none:
    iadd exponent, exponent, exponent
    iadd sx, sx, sx
.check:
    iadd t, exponent, zero
    br   !Z, .next
.top:
    setc c1, 3
    mov  t, sy
.shift:
    iadd t, t, t
    br   C, .end
    loop c1, .shift
    mov  sy, t
    jmp  .top
.end:
    ret
; B = exponent has c1 + 1 more ones at the top. They are then shifted out, and sz is incremented.
.routine extend_run
.uniform ; as runs_of_ones
.in exponent sx sz
.out exponent sx sz
    mov  t, exponent
    mov  u, sx
.bit:
    iadd t, t, t
    br   !C, .no
    iadd u, u, u
    loop c1, .bit
    mov  exponent, t
    mov  sx, u
    iadd sz, sz, one
    setb 1
    ret
.no:
    setb 0
    ret
; Sets the top bit of sy, the mark for square_n, if a register has more bits than R.
.routine mark_wide
.uniform ; public constants
.in sy
.out sy
.clobber sx
    setc c0, PBITS
    call power_of_two
    iadd t, sx, zero            ; R, or 0
    br   Z, .narrow
    setc c0, RBITS-1
    call power_of_two
    iadd sy, sy, sx
.narrow:
    ret
