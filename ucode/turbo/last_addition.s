; End of a multiplication. The last addition, of (sx, sy), has to be a doubling if the points are equal: the doubling is
; computed in every run, and used if h = r = 0. The result is then mapped from the isomorphic curve back to the curve; on
; the isomorphic curve Z = 1 stood for Z = c.
; in    jx, jy, jz: result of the addition; sx, sy: its affine summand; h, r: differences of the x and of the y;
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
