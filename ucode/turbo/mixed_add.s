; (jx, jy, jz) += (sx, sy), and tz, xx of the sum. Z is multiplied by h: 0 if the x are equal (same point or opposite).
; in    jx jy jz sx sy wa;  out jx jy jz tz xx, h, r
; cost  10 M + 4 S
.routine mixed_add
.in jx jy jz sx sy wa
.out jx jy jz tz xx h r
.reg z2, z3, d, v, w, t, e
    mul  z2, jz, jz
    mul  z3, jz, z2
    mul  h, sx, z2
    mul  r, sy, z3
    sub  h, h, jx               ; H = X2 - X1
    sub  r, r, jy               ; r = Y2 - Y1
    mul  d, h, h
    mul  jz, jz, h              ; Z3 = Z1 H
    mul  v, jx, d               ; V = X1 H^2
    mul  e, h, d                ; H^3
    mul  t, r, r
    add  w, v, v
    add  w, w, e
    mul  z2, jz, jz
    sub  jx, t, w               ; X3 = r^2 - H^3 - 2 V
    mul  e, jy, e               ; Y1 H^3
    sub  v, v, jx
    mul  z2, z2, z2
    mul  v, v, r
    mul  xx, jx, jx
    mul  tz, wa, z2
    sub  jy, v, e               ; Y3 = r (V - X3) - Y1 H^3
    ret
