; k G in constant time: by the comb when the table is of the curve loaded, else as of any point.
; in    k in [0, n), rz not 0 mod p, the randomiser;  out jx, jy, jz
.routine base_mul
.in k rz
.out jx jy jz
.clobber px py exponent sz
    use_table
    mov  px, gx
    mov  py, gy
    jmp  scalar_mul
