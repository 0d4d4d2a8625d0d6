; scalar_mul of the base point.
.routine base_point_mul
.out px py qx qy
    mov  px, gx
    mov  py, gy
    jmp  scalar_mul
