; Complete addition: (jx : jy : jz) += (sx : sy : sz) in Jacobian coordinates; Z = 0 is infinity. The same formula doubles
; equal points with another slope N / D: X3 = N^2 - D^2 (U1 + U2), Y3 = N (U1 D^2 - X3) - S1 D^3, Z3 = D Z1 Z2.
; cost  17 M + 6 S
.routine jacobian_add
.in jx jy jz sx sy sz
.out jx jy jz
.reg u1, u2, s1, s2, z1, z2, zz, d, m, h, e, t
    mul  z1, jz, jz
    mul  z2, sz, sz
    mul  u1, jx, z2
    mul  u2, sx, z1
    mul  zz, jz, sz
    mul  s1, z2, sz
    mul  s2, z1, jz
    mul  s1, jy, s1
    mul  s2, sy, s2
    sub  h, u2, u1
    mul  m, u1, u1
    mul  t, zz, zz
    mul  t, t, t
    mul  t, t, a
    sub  e, s2, s1
    canon d, h
    setb Z
    canon d, e
    setb B&Z                    ; equal points, or both infinite
    add  d, m, m
    add  m, m, d
    add  m, m, t                ; 3 U1^2 + a Z^4
    add  t, s1, s1
    csel d, h, t                ; D
    csel m, e, m                ; N
    mul  h, d, d
    mul  t, m, m
    add  e, u1, u2
    mul  e, e, h
    mul  u1, u1, h
    mul  h, h, d
    sub  t, t, e                ; X3
    mul  h, h, s1
    sub  u1, u1, t
    mul  u1, u1, m
    mul  d, zz, d               ; Z3
    sub  u1, u1, h              ; Y3
    canon s1, jz
    setb Z
    csel t, t, sx               ; infinity + Q
    csel u1, u1, sy
    csel d, d, sz
    canon s1, sz
    setb Z
    csel jx, t, jx              ; P + infinity
    csel jy, u1, jy
    csel jz, d, jz
    ret
