; k G in constant time.
; in    k in [0, n), rz not 0 mod p, the randomiser;  out jx, jy, jz
.routine base_mul
.in k rz
.out jx jy jz
.clobber px py
    mov  px, gx
    mov  py, gy
    jmp  scalar_mul
