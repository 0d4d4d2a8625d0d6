; u1 G + u2 P of public scalars, in Jacobian coordinates. Variable time.
; in    slots PUBLIC, PUBLIC2: bits of u1 and u2
; out   (jx, jy, jz); jz = 0 for infinity
; While no curve is loaded (in CURVE_LOAD) the routine stops after the table: gt = P, 3P .. 15P, all on Z = jz.
;
; It interleaves signed windows of width 5 (ldd): one doubling for each bit, and on average an addition of d G and one of
; d P every sixth bit. P, 3P .. 15P are computed on one common Z = c by co-Z additions. On the isomorphic curve
; y^2 = x^3 + a c^4 x + b c^6 they are affine, and the whole loop works on that curve. To bring the multiples of G there,
; the loop uses c Z in the place of Z.
; State: (X : Y : Z), tz = a c^4 Z^4 / 2 (modified Jacobian coordinates, Cohen, Miyaji, Ono 1998), xx = X^2.
; Every doubling and addition multiplies Z by a value that is 0 in an exceptional case (equal, opposite or infinite
; points). Z = 0 at the end therefore says that the answer may be wrong; joint_mul_complete then starts again.
; cost  83 M for the table (87 M if a is not -3), 8 M a bit, 15 M (P) and 16 M (G) an addition. A search with the simulator
;       found the order of the operations.
.routine joint_mul_var
.in px py
.out jx jy jz gt
.clobber k qx qy base exponent unit sx sy share mask factor nonce
.block pt, 16, align 16 = 48
.reg c, h1, h2, h3, h4, h5, h6, e1, e2, e3
.reg a4, tz, xx, d, h, m, r, s, t, u, v, w, z2, z3
    ; P and 2P on Z = y
    mod  0
    mul  e1, px, px
    mul  e2, py, py
    add  e3, e1, e1
    add  e1, e3, e1
    mul  jx, px, e2
    add  e1, e1, a
    mul  jy, e2, e2
    half e1, e1
    mul  sx, e1, e1
    mov  pt, jx
    sub  sx, sx, jx
    sub  sx, sx, jx
    sub  e2, jx, sx
    mul  e2, e2, e1
    mov  pt+1, jy
    sub  sy, e2, jy
    ; 3P .. 15P, each on its own Z
    call co_z_add
    mov  h1, jz
    mov  pt+2, jx
    mov  pt+3, jy
    call co_z_add
    mov  h2, jz
    mov  pt+4, jx
    mov  pt+5, jy
    call co_z_add
    mov  h3, jz
    mov  pt+6, jx
    mov  pt+7, jy
    call co_z_add
    mov  h4, jz
    mov  pt+8, jx
    mov  pt+9, jy
    call co_z_add
    mov  h5, jz
    mov  pt+10, jx
    mov  pt+11, jy
    call co_z_add
    mov  h6, jz
    mov  pt+12, jx
    mov  pt+13, jy
    call co_z_add
    mov  pt+14, jx
    mov  pt+15, jy
    ; Bring all of them to the last Z.
    .assume jz modp ; co_z_add
    mul  e2, jz, jz
    mul  c, jz, h6
    mul  pt+12, pt+12, e2
    mul  e2, e2, jz
    mul  e1, c, c
    mul  pt+13, pt+13, e2
    mul  pt+10, pt+10, e1
    mul  e1, e1, c
    mul  c, c, h5
    mul  pt+11, pt+11, e1
    mul  e2, c, c
    mul  e1, c, h4
    mul  pt+8, pt+8, e2
    mul  e2, e2, c
    mul  c, e1, h3
    mul  pt+9, pt+9, e2
    mul  e2, e1, e1
    mul  e3, c, c
    mul  pt+6, pt+6, e2
    mul  e2, e2, e1
    mul  pt+4, pt+4, e3
    mul  e3, e3, c
    mul  pt+7, pt+7, e2
    mul  c, c, h2
    mul  pt+5, pt+5, e3
    mul  e2, c, c
    mul  e1, c, h1
    mul  pt+2, pt+2, e2
    mul  e2, e2, c
    mul  e3, e1, e1
    mul  pt+3, pt+3, e2
    mul  pt, pt, e3
    mul  e3, e3, e1
    mul  c, e1, py
    mul  pt+1, pt+1, e3
    br   LOADED, .multiply
    mov  gt, pt
    mov  gt+1, pt+1
    mov  gt+2, pt+2
    mov  gt+3, pt+3
    mov  gt+4, pt+4
    mov  gt+5, pt+5
    mov  gt+6, pt+6
    mov  gt+7, pt+7
    mov  gt+8, pt+8
    mov  gt+9, pt+9
    mov  gt+10, pt+10
    mov  gt+11, pt+11
    mov  gt+12, pt+12
    mov  gt+13, pt+13
    mov  gt+14, pt+14
    mov  gt+15, pt+15
    mov  jz, c
    ret

.multiply:
    ld   t, PUBLIC              ; 64 u: ldd reads digit q - 1 while c0 = q
    setc c0, 5
.shift:
    iaddl t, t, t
    loop c0, .shift
    st   PUBLIC, t
    ld   t, PUBLIC2
    setc c0, 5
.shift2:
    iaddl t, t, t
    loop c0, .shift2
    st   PUBLIC2, t
    iadd t, gt+14, zero
    setb Z
    iadd t, gt+15, zero
    setb B&Z
    br   B, joint_mul_complete  ; G has no table
    mul  z2, c, c
    mul  a4, z2, z2
    mul  a4, a4, a
    mul  z3, z2, c
    half a4, a4                 ; a c^4 / 2
    sub  jz, c, c
    setc c0, NBITS+5
    setx 0
.lead:                          ; all digits so far are 0
    ldd  PUBLIC, c0
    br   B, .first_g
    ldd  PUBLIC2, c0
    br   B, .first_p
    loop c0, .lead
    ret
.first_g:
    mulx jx, z2, gt
    mulx jy, z3, gt+1
    setc c1, 1                  ; an addition of P may follow
    jmp  .first
.first_p:
    movx jx, pt
    movx jy, pt+1
    setc c1, 0
.first:
    mov  jz, one_p
    mul  xx, jx, jx
    mov  tz, a4
    setb !P
    br   B, .first_done
    sub  t, jy, jy
    sub  jy, t, jy
.first_done:
    loop c1, .second
    jmp  .after

    ; Doubling. The digits that follow it are read while it runs.
.double:
    half h, xx
    mul  u, jy, jy              ; Y^2
    add  m, xx, h
    add  m, m, tz               ; M = (3 X^2 + a c^4 Z^4) / 2
    mul  s, jx, u               ; S = X Y^2
    mul  v, m, m
    add  w, s, s
    mul  jz, jy, jz             ; Z3 = Y Z
    sub  jx, v, w               ; X3 = M^2 - 2 S
    mul  u, u, u                ; U = Y^4
    sub  t, s, jx
    mul  xx, jx, jx
    ldd  PUBLIC, c0
    br   B, .finish_g
    mul  t, t, m
    ldd  PUBLIC2, c0
    br   B, .finish_p
    mul  tz, tz, u
    sub  jy, t, u               ; Y3 = M (S - X3) - U
    loop c0, .double
    jmp  .end

    ; Doubling and addition of a multiple of G, or of P. X and P hold the digit.
.finish_g:
    mul  t, t, m
    mul  tz, tz, u
    sub  jy, t, u
.double_add_g:
    mul  u, jy, jy
    half h, xx
    mul  jz, jy, jz
    add  m, xx, h
    mul  s, jx, u
    add  m, m, tz
    mul  z3, jz, c
    mul  v, m, m
    add  w, s, s
    mul  z2, z3, z3
    sub  jx, v, w
    mul  u, u, u
    mul  z3, z3, z2
    sub  t, s, jx
    mulx h, z2, gt
    setc c1, 1                  ; an addition of P may follow
    mul  t, t, m
    setb P                      ; the digit is negative
    mulx s, z3, gt+1
    br   B, .double_negative
    jmp  .double_positive
.finish_p:
    mul  tz, tz, u
    sub  jy, t, u
.double_add_p:
    mul  jz, jy, jz
    half h, xx
    mul  u, jy, jy
    add  m, xx, h
    mul  z2, jz, jz
    add  m, m, tz
    mul  s, jx, u
    mul  v, m, m
    add  w, s, s
    mulx h, z2, pt
    sub  jx, v, w
    mul  z3, jz, z2
    sub  t, s, jx
    mul  u, u, u
    setc c1, 0
    mul  t, t, m
    setb P
    mulx s, z3, pt+1
    br   B, .double_negative
.double_positive:
    sub  jy, t, u
    sub  h, h, jx               ; H = X2 - X1
    sub  r, s, jy               ; r = Y2 - Y1
    mul  d, h, h
    jmp  .add
.double_negative:
    sub  jy, t, u
    sub  h, h, jx
    add  r, s, jy               ; -r
    mul  d, h, h
.add:
    mul  jz, jz, h              ; Z3 = Z1 H
    mul  v, jx, d               ; V = X1 H^2
    mul  h, h, d                ; H^3
    add  w, v, v
    mul  m, r, r
    add  w, w, h
    mul  z2, jz, jz
    sub  jx, m, w               ; X3 = r^2 - H^3 - 2 V
    mul  h, jy, h               ; Y1 H^3
    br   B, .minus
    sub  t, v, jx
    mul  z2, z2, z2
    jmp  .y
.minus:
    sub  t, jx, v
    mul  z2, z2, z2
.y:
    mul  t, t, r
    mul  tz, a4, z2
    sub  jy, t, h               ; Y3 = r (V - X3) - Y1 H^3
    mul  xx, jx, jx
    loop c1, .second
.after:
    loop c0, .next
.next:
    ldd  PUBLIC, c0
    br   B, .double_add_g
    ldd  PUBLIC2, c0
    br   B, .double_add_p
    loop c0, .double
    jmp  .end

    ; The multiple of P follows that of G.
.second:
    ldd  PUBLIC2, c0
    br   !B, .after
    mul  z2, jz, jz
    mul  z3, jz, z2
    mulx h, z2, pt
    setb P
    mulx s, z3, pt+1
    sub  h, h, jx
    br   B, .second_negative
    sub  r, s, jy
    jmp  .second_slope
.second_negative:
    add  r, s, jy
.second_slope:
    mul  d, h, h
    jmp  .add

.end:
    mul  jz, jz, c              ; back on the curve
    br   Z, joint_mul_complete
    ret
