; DOUBLE_MUL, and u1 G + u2 P of public scalars. As for all multiples, the threads run in lock step: two multiplications and
; a complete addition.
; in    base = u1, k = u2 in [0, n), P = (px, py) on the curve
; out   jx, jy, jz
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
.entry DOUBLE_MUL job_double_mul
.routine job_double_mul
    chk  4
    ld   k, 0
    call reduce_scalar
    mov  base, k
    ld   k, 1
    call reduce_scalar
    ld   px, 2
    ld   py, 3
    call load_point
    call joint_mul
    jmp  return_public
