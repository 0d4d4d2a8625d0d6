; P, 3P .. 15P on one common Z = c. They are affine points of the isomorphic curve y^2 = x^3 + a c^4 x + b c^6.
; in    px, py on the curve with coefficient wa in the place of a
; out   pt, c, wa c^4
; cost  86 M
.routine odd_multiples
.in px py wa
.out pt c wa
.clobber jx jy jz tz xx sx sy h r
.reg h1, h2, h3, h4, h5, h6, e1, e2, e3, u, e, w, t
    ; P and 2P on Z = 2y
    add  e3, py, py             ; 2y
    mul  e1, px, px
    mul  e2, e3, e3             ; 4y^2
    add  jz, e1, e1
    add  e1, e1, wa
    mul  jx, px, e2             ; x of P: 4 x y^2
    add  e1, e1, jz             ; M = 3 x^2 + a
    mul  jy, e2, e2             ; 16 y^4
    mul  sx, e1, e1
    mul  e3, py, py
    sub  sx, sx, jx
    sub  sx, sx, jx             ; x of 2P: M^2 - 8 x y^2
    mul  e3, e3, e2             ; 4 y^4
    sub  jy, jx, sx
    mul  jy, jy, e1
    add  e3, e3, e3             ; 8 y^4
    sub  sy, jy, e3             ; y of 2P
    add  jy, e3, zero           ; y of P: 8 y^4
    mov  pt, jx
    mov  pt+1, jy
    ; 3P .. 15P, each on its own Z
    next_multiple
    mov  h1, jz
    mov  pt+2, jx
    mov  pt+3, jy
    next_multiple
    mov  h2, jz
    mov  pt+4, jx
    mov  pt+5, jy
    next_multiple
    mov  h3, jz
    mov  pt+6, jx
    mov  pt+7, jy
    next_multiple
    mov  h4, jz
    mov  pt+8, jx
    mov  pt+9, jy
    next_multiple
    mov  h5, jz
    mov  pt+10, jx
    mov  pt+11, jy
    next_multiple
    mov  h6, jz
    mov  pt+12, jx
    mov  pt+13, jy
    next_multiple
    mov  pt+14, jx
    mov  pt+15, jy
    ; Bring all of them to the last Z.
    mul  e2, jz, jz
    mul  c, jz, h6
    mul  pt+12, pt+12, e2
    mul  e2, e2, jz
    mul  e1, c, c
    mul  pt+13, pt+13, e2
    mul  pt+10, pt+10, e1
    mul  e1, e1, c
    mul  c, c, h5
    mul  pt+11, pt+11, e1
    mul  e2, c, c
    mul  e1, c, h4
    mul  pt+8, pt+8, e2
    mul  e2, e2, c
    mul  c, e1, h3
    mul  pt+9, pt+9, e2
    mul  e2, e1, e1
    mul  e3, c, c
    mul  pt+6, pt+6, e2
    mul  e2, e2, e1
    mul  pt+4, pt+4, e3
    mul  e3, e3, c
    mul  pt+7, pt+7, e2
    mul  c, c, h2
    mul  pt+5, pt+5, e3
    mul  e2, c, c
    mul  e1, c, h1
    mul  pt+2, pt+2, e2
    mul  e2, e2, c
    mul  e3, e1, e1
    mul  pt+3, pt+3, e2
    mul  pt, pt, e3
    mul  e3, e3, e1
    add  c, py, py
    mul  c, e1, c
    mul  pt+1, pt+1, e3
    mul  e2, c, c
    mul  e2, e2, e2
    mul  wa, wa, e2
    ret
