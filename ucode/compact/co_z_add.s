; Co-Z addition (Meloni 2007): both points have the same Z, and so have both results.
; in    (jx, jy), (sx, sy) with a common Z
; out   (jx, jy) = their sum, (sx, sy) = the same point as before, both with the common Z times jz;
;       jz = 0 if the x were equal
; cost  4 M + 2 S
.routine co_z_add
.in jx jy sx sy
.out jx jy jz sx sy
.clobber base exponent unit qx
.reg c, e, w, t
    sub  jz, sx, jx
    sub  e, sy, jy
    mul  c, jz, jz
    mul  t, e, e
    mul  w, jx, c
    mul  sx, sx, c
    sub  c, sx, w
    sub  t, t, w
    mul  sy, sy, c
    sub  jx, t, sx
    sub  w, sx, jx
    mul  w, w, e
    sub  jy, w, sy
    ret
