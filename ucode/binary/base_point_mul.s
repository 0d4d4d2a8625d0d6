; scalar_mul of the base point.
.macro select_base_point
    mov  px, gx
    mov  py, gy
    .assume px modp ; copy of gx
    .assume py modp ; copy of gy
.endmacro
.routine base_point_mul
.out px py qx qy square square_y zd
    select_base_point
    multiply_base_point
