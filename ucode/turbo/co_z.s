; Addition of two points on the same Z, which the result shares again: co-Z (Meloni 2007).
; in    (jx, jy), (sx, sy) with a common Z;  temporaries u, e, w, t
; out   (jx, jy) = their sum, (sx, sy) the same point as before, both on Z jz; jz is the factor, 0 if the x were equal
; cost  4 M + 2 S
.macro co_z
    sub  jz, sx, jx
    sub  e, sy, jy
    mul  u, jz, jz
    mul  t, e, e
    mul  w, jx, u
    mul  sx, sx, u
    sub  u, sx, w
    sub  t, t, w
    mul  sy, sy, u
    sub  jx, t, sx
    sub  w, sx, jx
    mul  w, w, e
    sub  jy, w, sy
.endmacro
