; Macros that the programs of this folder share. The sum is (qx : qy : zs) in the coordinates of the program's double_point.

; Sets the sum to infinity, in any coordinates.
.macro no_sum
    mov  qx, zero_p
    mov  qy, zero_p
    mov  zs, zero_p
.endmacro
; Sets the sum to (px, py).
.macro first_sum
    mov  qx, px
    mov  qy, py
    mov  zs, one_p
.endmacro
; Ranges of the operands of add_point_var in projective coordinates.
.macro assume_operands
    .assume px modp ; by contract
    .assume py modp ; by contract
    .assume qx modp ; by contract
    .assume qy modp ; by contract
    .assume zs modp ; by contract
.endmacro
