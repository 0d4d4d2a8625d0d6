; A file of its own: the assembler then leaves its registers to what lives across multiplications.
; Wipes what is left after to_affine.
.routine forget_rest
.clobber rz base jz sy pt
.reg r34 = 34
.reg r35 = 35
.reg r39 = 39
    mov  rz, zero
    mov  base, zero
    mov  jz, zero
    mov  pt, zero
    mov  pt+1, zero
    mov  pt+2, zero
    mov  pt+3, zero
    mov  pt+4, zero
    mov  pt+5, zero
    mov  pt+6, zero
    mov  pt+14, zero
    mov  pt+15, zero
    mov  r34, zero
    mov  r35, zero
    mov  r39, zero
    mov  sy, zero
    forget_own
    ret
