; scalar_mul of the base point.
.routine base_point_mul
.out px py qx qy square square_y
    mov  px, gx
    mov  py, gy
    .assume px modp ; copy of gx
    .assume py modp ; copy of gy
    affine_sums
    jmp  scalar_mul
