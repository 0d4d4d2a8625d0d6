; k G by the ladder on the base point. The ladder is next in the memory, so that nothing else follows if the jump is skipped.
; in    k in [0, N)
; out   qx, qy integers
.routine base_mul
.in k
.out qx qy
.clobber k px py base exponent unit jx jy jz sx sy encoded even
    mov  px, gx
    mov  py, gy
    .assume px modp ; copy of gx
    .assume py modp ; copy of gy
    jmp  scalar_mul
