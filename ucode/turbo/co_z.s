; Co-Z addition (Meloni 2007): both points have the same Z, and so have both results.
; in    (jx, jy), (sx, sy) with a common Z; temporaries u, e, w, t
; out   (jx, jy) = their sum, (sx, sy) = the same point as before, both with the common Z times jz; jz = 0 if the x were equal
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
