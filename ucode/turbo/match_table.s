; End of CURVE_LOAD: tests whether the comb's table belongs to this curve, and derives what the comb needs.
; Two points of the table are on the curve: this determines a and b. The comb computes 1 G = G: this determines G.
.routine match_table
.uniform ; the job is exclusive: all threads have its operands
.out comb_offset
.clobber px py k rz jx jy jz sx sy tz xx h r c wa
.reg t, lo
    mov  t, one
    setc c0, COLS-1
.column:
    setc c1, 23
.power:
    add_n t, t, t
    loop c1, .power
    loop c0, .column
    isub t, t, one
    caddc t, t, n
    mov  k, t
    mov  sx, half_n
    call mont
    mov  comb_offset, k

    wipe SCALAR
    rewind
    scan SCALAR
    caught
    take px
    take py
    call curve_equation
    br   !Z, .other
    scan SCALAR
    caught
    take px
    take py
    call curve_equation
    br   !Z, .other
    mov  k, one
    mov  rz, one
    call comb_mul
    mov  sx, gx
    mov  sy, gy
    call compare_point
    br   !B, .other
    loaded 3
.other:
    ret
