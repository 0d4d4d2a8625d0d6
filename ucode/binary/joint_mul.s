; u1 G + u2 P of public scalars: u2 in slot SCALAR, u1 in slot PUBLIC. out qx, qy; B = it is infinity. Variable time.
.routine joint_mul_var
.in px py
.out px py qx qy jx jy scalar square square_y t1 t3
.reg t
    call public_mul
    br   !Z, .second
    mov  qx, zero_p
    mov  qy, zero_p
.second:
    mov  jx, qx
    mov  jy, qy
    mod  1
    ld   t, PUBLIC
    st   SCALAR, t
    mod  0
    load_scalar
    mov  px, gx
    mov  py, gy
    call public_mul
    br   !Z, .sum
    mov  qx, zero_p
    mov  qy, zero_p
.sum:
    mov  px, jx
    mov  py, jy
    jmp  affine_add_var
