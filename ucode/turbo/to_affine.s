; Conversion to affine coordinates.
; in    jx, jy, jz
; out   jx, jy canonical, (0, 0) for infinity; Z = infinity
; cost  an inversion and 4 M
.routine to_affine
.in jx jy jz
.out jx jy
.clobber base jz pt px py k exponent tz xx sx sy h r c wa
    mov  base, jz
    call fermat_inverse
    mul  sx, base, base
    mul  sy, sx, base
    mul  jx, jx, sx
    mul  jy, jy, sy
    leave jx
    leave jy
    canon base, base            ; Z
    ret
