; Conversion to affine coordinates.
; in    jx, jy, jz
; out   jx, jy canonical, (0, 0) for infinity; Z = infinity
; cost  an inversion and 4 M. While products run, it wipes what the multiplication and the inversion have left.
.routine to_affine
.in jx jy jz
.out jx jy
.clobber base jz pt sz rz px py k exponent tz xx sx sy h r c wa
.reg r41 = 41
.reg r42 = 42
.reg r43 = 43
.reg r44 = 44
.reg r45 = 45
    mov  base, jz
    call fermat_inverse
    mul  sx, base, base
    mov  pt+14, zero
    mov  pt+15, zero
    mul  sy, sx, base
    mov  jz, zero
    mov  r41, zero
    mul  jx, jx, sx
    mov  r42, zero
    mov  r43, zero
    mul  jy, jy, sy
    mov  r44, zero
    mov  r45, zero
    leave jx
    leave jy
    canon base, base            ; Z
    ret
