; u1 G + u2 P of public scalars. Variable time.
; in    slot SCALAR = u2, slot PUBLIC = u1
; out   qx, qy; B = the result is infinity
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
