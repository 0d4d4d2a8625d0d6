; Complete mixed addition to the public accumulator: (jx, jy, jz) += (sx, sy), the latter affine. It handles infinity, equal
; points and opposite points. Variable time.
; cost  8 M + 3 S; after Guide to ECC, algorithm 3.22
.routine jacobian_add_var
.in jx jy jz sx sy
.out jx jy jz
.reg h, r, t, u
    iadd t, jz, zero
    br   Z, .copy
    mul  t, jz, jz
    mul  u, sx, t
    mul  t, t, jz
    mul  r, sy, t
    sub  h, u, jx
    br   Z, .same_x
    sub  r, r, jy
    mul  t, h, h
    mul  jz, jz, h
    mul  u, jx, t               ; V
    mul  h, t, h                ; H^3
    mul  jx, r, r
    mul  jy, jy, h
    add  t, u, u
    add  t, t, h
    sub  jx, jx, t              ; X3 = r^2 - H^3 - 2V
    sub  u, u, jx
    mul  u, u, r
    sub  jy, u, jy              ; Y3 = r (V - X3) - Y1 H^3
    ret
.same_x:
    sub  r, r, jy
    br   Z, jacobian_double_var
    sub  jz, jz, jz
    ret
.copy:
    mov  jx, sx
    mov  jy, sy
    mov  jz, one_p
    ret
