; What a program of this engine may implement in its own way. Here: any curve, and k P by the program's scalar_mul.

; scalar_mul of a point from the operands. The caller has made the affine_sums and draw_z.
.macro multiply_point
    call scalar_mul
.endmacro
; scalar_mul of the base point in px, py, as the last action of a routine.
.macro multiply_base_point
    affine_sums
    draw_z
    jmp  scalar_mul
.endmacro
; Adds other integers that CURVE_LOAD has set to the sums sx and t.
.macro own_constants
.endmacro
; End of CURVE_LOAD, after the curve is checked and its constants are derived.
.macro end_curve_load
    jmp  curve_loaded
.endmacro
