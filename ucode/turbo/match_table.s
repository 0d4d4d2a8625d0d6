; End of CURVE_LOAD: is the table that the comb reads of this curve, and what the comb needs.
; Two of its points are on the curve: they determine a and b. 1 G by the comb is G.
.routine match_table
.uniform ; an exclusive job: all threads have its operands
.out comb_offset
.clobber px py k rz jx jy jz sx sy tz xx h r c wa
.reg t, u, lo, mm
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
    mont_n comb_offset, t, half_n

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
    mul  t, jz, jz
    mul  u, gx, t
    sub  u, u, jx
    canon u, u
    br   !Z, .other
    mul  t, t, jz
    mul  u, gy, t
    sub  u, u, jy
    canon u, u
    br   !Z, .other
    loaded 3
.other:
    ret
