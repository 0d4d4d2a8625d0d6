; u1 G + u2 P of public scalars (bits in slots PUBLIC, PUBLIC2) to Jacobian (jx, jy, jz); infinity is jz = 0.
; Interleaved: one doubling a bit, at most one addition of G, P or G + P. Variable time.
.routine joint_mul_var
.in px py
.out jx jy jz
.clobber qx qy base exponent unit sx sy
.reg gpx, gpy, t
    mod  0
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
.bit:
    call jacobian_double_var
    ldb  PUBLIC, c0
    br   B, .g
    ldb  PUBLIC2, c0
    br   !B, .next
    mov  sx, px
    mov  sy, py
    jmp  .add
.g:
    ldb  PUBLIC2, c0
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
    call jacobian_add_var
.next:
    loop c0, .bit
    ret
