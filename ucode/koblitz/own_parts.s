; What this program implements in its own way: k P by the Frobenius map, for Koblitz curves only.
.macro multiply_point
    call point_mul
.endmacro
.macro multiply_base_point
    jmp  base_mul
.endmacro
.macro end_curve_load
    jmp  koblitz_curve
.endmacro
