; u1 G + u2 P of public scalars, in lock step like all multiples: two multiplications and a complete addition.
; in    base = u1, k = u2 in [0, n), P = (px, py) on the curve;  out jx, jy, jz
.routine joint_mul
.in base k px py
.out jx jy jz
.clobber k rz sx sy sz
.reg x, y, z
    mov  rz, one
    mov  x, base
    call scalar_mul
    mov  k, x
    mov  x, jx
    mov  y, jy
    mov  z, jz
    call base_mul
    mov  sx, x
    mov  sy, y
    mov  sz, z
    jmp  jacobian_add
