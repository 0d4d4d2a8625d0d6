; As joint_mul_var, but correct in every exceptional case: for each bit it adds G, P or G + P by complete additions.
; in    slots hold 64 u1, 64 u2
.routine joint_mul_complete
.in px py
.out jx jy jz
.clobber qx qy base exponent unit sx sy
.reg t, gpx, gpy
    mov  qx, gx
    mov  qy, gy
    .assume qx modp ; copy of gx
    .assume qy modp ; copy of gy
    call affine_add_var
    mov  gpx, qx
    mov  gpy, qy
    sub  jx, px, px
    sub  jy, px, px
    sub  jz, px, px
    setc c0, NBITS-1
    setc c1, NBITS+5
.bit:
    call jacobian_double_var
    ldb  PUBLIC, c1
    br   B, .g
    ldb  PUBLIC2, c1
    br   !B, .next
    mov  sx, px
    mov  sy, py
    jmp  .add
.g:
    ldb  PUBLIC2, c1
    br   B, .both
    mov  sx, gx
    mov  sy, gy
    jmp  .add
.both:
    mov  sx, gpx
    mov  sy, gpy
    iadd t, gpx, zero
    setb Z
    iadd t, gpy, zero
    setb B&Z
    br   B, .next               ; G + P is infinity
.add:
    .assume sx modp ; of G, P or G + P
    .assume sy modp ; of G, P or G + P
    call jacobian_add_var
.next:
    loop c1, .more
.more:
    loop c0, .bit
    ret
