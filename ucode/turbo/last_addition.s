; End of a multiplication: the last addition, of (sx, sy) to an equal point, has to be a doubling. That is made in every
; run and taken where h = r = 0. Then from the isomorphic curve, on which Z was 1 in the place of c, back to the curve.
; in    jx, jy, jz: what the addition gave;  sx, sy: its affine summand;  h, r: differences of the x and of the y;
;       c, wa = a c^4
; out   jx, jy, jz
; cost  7 M
.routine last_addition
.in jx jy jz sx sy h r c wa
.out jx jy jz
.clobber h r
.reg y2, u, m, e, s, v, w, q, t
    add  y2, sy, sy
    mul  u, y2, sy
    mul  e, sx, sx
    mul  s, sx, u
    add  m, e, wa
    add  e, e, e
    mul  q, u, u
    add  m, m, e
    mul  v, m, m
    add  s, s, s
    add  w, s, s
    sub  v, v, w
    add  q, q, q
    sub  t, s, v
    mul  t, t, m
    sub  t, t, q
    canon h, h
    setb Z
    canon r, r
    setb B&Z
    csel jx, jx, v
    csel jy, jy, t
    csel jz, jz, y2
    mul  jz, jz, c
    ret
