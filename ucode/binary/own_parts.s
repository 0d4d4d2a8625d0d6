; What a program of this engine may do in its own way: here any curve, k P by the program's scalar_mul.

; scalar_mul of a point from outside, affine_sums there.
.macro multiply_point
    call scalar_mul
.endmacro
; At the end of a routine: scalar_mul of the base point in px, py.
.macro multiply_base_point
    affine_sums
    jmp  scalar_mul
.endmacro
; CURVE_LOAD ends: the curve is checked, its constants are there.
.macro end_curve_load
    loaded 1
    done OK, 0
.endmacro
