; k G in constant time: by the comb if the table belongs to the loaded curve, otherwise as for any point.
; in    k in [0, n), rz = the randomiser, not 0 mod p
; out   jx, jy, jz
.routine base_mul
.in k rz
.out jx jy jz
.clobber px py exponent
    use_table
    mov  px, gx
    mov  py, gy
    jmp  scalar_mul
