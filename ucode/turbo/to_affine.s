; Conversion to affine coordinates. A thread fails with FAULT unless the result is a point of the curve, or infinity.
; in    jx, jy, jz
; out   jx, jy integers below p, (0, 0) for infinity; base = 1 / jz, or 0
; cost  an inversion and 8 M
.routine to_affine
.in jx jy jz
.out jx jy base
.clobber pt sx sy
.reg u, v
    mov  base, jz
    call fermat_inverse
    mul  sx, base, base
    mul  jx, jx, sx
    mul  sy, sx, base
    canon jx, jx
    mul  jy, jy, sy
    mul  u, jx, jx
    canon jy, jy
    mul  v, jy, jy
    add  u, u, a
    mul  u, u, jx
    add  u, u, b                ; x^3 + a x + b
    sub  v, v, u
    mul  v, v, base             ; 0 for infinity
    integer jx
    integer jy
    canon v, v
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    ret
