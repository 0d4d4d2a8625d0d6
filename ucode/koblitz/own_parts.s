; What this program implements in its own way: k P by the Frobenius map, for Koblitz curves only.
.macro multiply_point
    call point_mul
.endmacro
.macro multiply_base_point
    draw_z
    jmp  base_mul
.endmacro
.macro own_constants
    .assume lifted int ; CURVE_LOAD made it
    .assume lift int ; CURVE_LOAD made it
    .assume first_s int ; CURVE_LOAD made it
    .assume second_s int ; CURVE_LOAD made it
    .assume first_d int ; CURVE_LOAD made it
    .assume second_d int ; CURVE_LOAD made it
    .assume sum_d int ; CURVE_LOAD made it
    .assume top int ; CURVE_LOAD made it
    iadd t, t, lift
    iadd sx, sx, lifted
    iadd t, t, second_s
    iadd sx, sx, first_s
    iadd t, t, second_d
    iadd sx, sx, first_d
    iadd t, t, top
    iadd sx, sx, sum_d
.endmacro
.macro end_curve_load
    jmp  koblitz_curve
.endmacro
