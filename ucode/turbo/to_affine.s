; Conversion to affine coordinates.
; in    jx, jy, jz
; out   jx, jy canonical, (0, 0) for infinity; Z = infinity
; cost  an inversion and 4 M
.routine to_affine
.in jx jy jz
.out jx jy
.clobber base exponent
.reg t, u
    mov  base, jz
    call fermat_inverse
    mul  t, base, base
    mul  u, t, base
    mul  jx, jx, t
    mul  jy, jy, u
    leave jx
    leave jy
    canon base, base            ; Z
    ret
