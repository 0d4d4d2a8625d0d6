; Jacobian doubling of the public accumulator (jx, jy, jz). Infinity (Z = 0) stays infinity.
; cost  4 M + 4 S for a = -3, else 4 M + 6 S; after Guide to ECC, algorithm 3.21, and EFD dbl-1998-cmo
.routine jacobian_double_var
.in jx jy jz
.out jx jy jz
.reg m, s, t, u
    mul  t, jz, jz              ; Z^2
    add  u, jy, jy              ; 2 Y
    mul  jz, jz, u              ; Z3 = 2 Y Z
    mul  u, u, u                ; 4 Y^2
    br   AM3, .minus3
    mul  m, jx, jx
    mul  t, t, t
    mul  s, jx, u               ; 4 X Y^2
    mul  t, t, a                ; a Z^4
    add  jy, m, m
    add  m, jy, m
    add  m, m, t                ; 3 X^2 + a Z^4
    jmp  .join
.minus3:
    sub  m, jx, t
    add  t, jx, t
    mul  s, jx, u               ; 4 X Y^2
    mul  m, m, t
    mul  u, u, u                ; 16 Y^4
    add  t, m, m
    add  m, t, m                ; 3 (X - Z^2)(X + Z^2)
    jmp  .last
.join:
    mul  u, u, u                ; 16 Y^4
.last:
    mul  jx, m, m
    add  t, s, s
    half u, u                   ; 8 Y^4
    sub  jx, jx, t              ; X3
    sub  t, s, jx
    mul  t, t, m
    sub  jy, t, u               ; Y3
    ret
