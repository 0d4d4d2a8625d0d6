; (sx, sy) = the multiple of P for the window at c0: every entry is read, X and the sign P choose among them.
; in    pt, slot SCALAR, c0;  out sx, sy
.routine window_point
.in pt
.out sx sy
    ldw  SCALAR, c0
    mov  sx, pt
    mov  sy, pt+1
    setb X==1
    csel sx, sx, pt+2
    csel sy, sy, pt+3
    setb X==2
    csel sx, sx, pt+4
    csel sy, sy, pt+5
    setb X==3
    csel sx, sx, pt+6
    csel sy, sy, pt+7
    setb X==4
    csel sx, sx, pt+8
    csel sy, sy, pt+9
    setb X==5
    csel sx, sx, pt+10
    csel sy, sy, pt+11
    setb X==6
    csel sx, sx, pt+12
    csel sy, sy, pt+13
    setb X==7
    csel sx, sx, pt+14
    csel sy, sy, pt+15
    setb P
    addsub sy, zero, sy
    ret
