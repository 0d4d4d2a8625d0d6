; k P in constant time: windows of 4 bits, odd signed digits, a table of P, 3P .. 15P that is read as a whole.
; in    k in [0, n), P = (px, py) on the curve, rz not 0 mod p;  out jx, jy, jz: x = jx / jz^2, y = jy / jz^3; jz = 0 mod p for infinity
;
; Four doublings in modified Jacobian coordinates (Cohen, Miyaji, Ono 1998), 4 M + 4 S for any a, the last one without
; a Z^4 and X^2; then the addition of (sx, sy), 10 M + 4 S. The registers' letters _a .. _d count the doublings.
; The table is read for the next window meanwhile: entries 0 .. 3 behind this one's use of (sx, sy), 4 .. 7 and the sign
; in the next round. The order is one in which products never wait (found by simulation of the field unit).
;
; Exceptions. The sum of the digits is odd and below 2^(bits(n) + 4) in size, and a window's sum before its addition is
; +- d only modulo n: that is possible in the last window only (see recode), and last_addition is right there.
; P goes to the isomorphic curve with a rz^4 in the place of a first, so that with a random rz no coordinates are known.
; cost  94 M + (bits / 4) 45 M
.routine scalar_mul
.in k px py rz
.out jx jy jz
.clobber px py tz xx sx sy h r c wa
.reg y_a, u_a, e_a, f_a, m_a, s_a, v_a, g_a, w_a, q_a, t_a, r_a, p_a, z_a, y_b, u_b, e_b, s_b, f_b, m_b
.reg g_b, v_b, q_b, w_b, t_b, p_b, r_b, z_b, y_c, u_c, e_c, s_c, f_c, m_c, g_c, v_c, q_c, w_c, t_c, p_c
.reg r_c, z_c, y_d, u_d, q_d, s_d, e_d, f_d, m_d, v_d, g_d, w_d, z2, ha, t_d, z3, p_d, d, r_d, ra, ea
.reg va, ta, wb, wc, eb, vb, vc, z4, z5
    call window_table
    mul  c, c, rz
    setc c0, NBITS-1
    ldw  SCALAR, c0
    mov  sx, pt
    mov  sy, pt+1
    candidate 1
    candidate 2
    candidate 3
    candidate 4
    candidate 5
    candidate 6
    candidate 7
    signed
    mov  jx, sx
    mov  jy, sy
    mov  jz, one_p
    mov  tz, wa
    mul  xx, jx, jx
    loop c0, .s1
.s1:
    loop c0, .s2
.s2:
    loop c0, .s3
.s3:
    loop c0, .s4
.s4:
    ldw  SCALAR, c0
    mov  sx, pt
    mov  sy, pt+1
    candidate 1
    candidate 2
    candidate 3
.window:
    setb X==4
    csel sy, sy, pt+9
    add  y_a, jy, jy
    csel sx, sx, pt+8
    mul  u_a, y_a, jy           ; 2 Y^2
    add  e_a, xx, xx
    mul  jz, y_a, jz
    add  f_a, xx, tz
    add  m_a, f_a, e_a          ; M = 3 X^2 + a Z^4
    setb X==5
    csel sx, sx, pt+10
    mul  s_a, jx, u_a           ; 2 X Y^2
    csel sy, sy, pt+11
    setb X==6
    csel sx, sx, pt+12
    mul  v_a, m_a, m_a
    add  g_a, s_a, s_a          ; S = 4 X Y^2
    add  w_a, g_a, g_a
    mul  q_a, u_a, u_a          ; 4 Y^4
    sub  jx, v_a, w_a           ; X3 = M^2 - 2 S
    sub  t_a, g_a, jx
    mul  xx, jx, jx
    csel sy, sy, pt+13
    mul  r_a, t_a, m_a
    add  p_a, q_a, q_a
    add  z_a, p_a, p_a          ; 16 Y^4
    sub  jy, r_a, p_a           ; Y3 = M (S - X3) - 8 Y^4
    mul  tz, tz, z_a
    setc c2, 0                  ; to the next window: bit 4 lower, c2 = there is one
    loop c0, .c1
.c1:
    loop c0, .c2
.c2:
    loop c0, .c3
.c3:
    loop c0, .more
    jmp  .digit
.more:
    setc c2, 1
.digit:
    add  y_b, jy, jy
    mul  u_b, y_b, jy           ; 2 Y^2
    add  e_b, xx, xx
    mul  s_b, jx, u_b           ; 2 X Y^2
    add  f_b, xx, tz
    add  m_b, f_b, e_b          ; M = 3 X^2 + a Z^4
    add  g_b, s_b, s_b          ; S = 4 X Y^2
    mul  v_b, m_b, m_b
    mul  q_b, u_b, u_b          ; 4 Y^4
    add  w_b, g_b, g_b
    sub  jx, v_b, w_b           ; X3 = M^2 - 2 S
    sub  t_b, g_b, jx
    setb X==7
    mul  jz, y_b, jz
    add  p_b, q_b, q_b
    mul  r_b, t_b, m_b
    mul  xx, jx, jx
    csel sx, sx, pt+14
    add  z_b, p_b, p_b          ; 16 Y^4
    mul  tz, tz, z_b
    sub  jy, r_b, p_b           ; Y3 = M (S - X3) - 8 Y^4
    add  y_c, jy, jy
    mul  jz, y_c, jz
    mul  u_c, y_c, jy           ; 2 Y^2
    csel sy, sy, pt+15
    setb P
    ldw  SCALAR, c0
    add  e_c, xx, xx
    mul  s_c, jx, u_c           ; 2 X Y^2
    add  f_c, xx, tz
    add  m_c, f_c, e_c          ; M = 3 X^2 + a Z^4
    add  g_c, s_c, s_c          ; S = 4 X Y^2
    mul  v_c, m_c, m_c
    mul  q_c, u_c, u_c          ; 4 Y^4
    add  w_c, g_c, g_c
    sub  jx, v_c, w_c           ; X3 = M^2 - 2 S
    mul  xx, jx, jx
    sub  t_c, g_c, jx
    add  p_c, q_c, q_c
    mul  r_c, t_c, m_c
    add  z_c, p_c, p_c          ; 16 Y^4
    mul  tz, tz, z_c
    sub  jy, r_c, p_c           ; Y3 = M (S - X3) - 8 Y^4
    add  y_d, jy, jy
    mul  u_d, y_d, jy           ; 2 Y^2
    mul  q_d, u_d, u_d          ; 4 Y^4
    mul  s_d, jx, u_d           ; 2 X Y^2
    add  e_d, xx, xx
    add  f_d, xx, tz
    mul  jz, y_d, jz
    add  m_d, f_d, e_d          ; M = 3 X^2 + a Z^4
    mul  v_d, m_d, m_d
    add  g_d, s_d, s_d          ; S = 4 X Y^2
    add  w_d, g_d, g_d
    mul  z2, jz, jz
    sub  jx, v_d, w_d           ; X3 = M^2 - 2 S
    mul  ha, sx, z2
    sub  t_d, g_d, jx
    mul  z3, jz, z2
    add  p_d, q_d, q_d
    sub  h, ha, jx              ; H = X2 - X1
    mul  d, h, h
    addsub sy, zero, sy
    mul  r_d, t_d, m_d
    mul  ra, sy, z3
    sub  jy, r_d, p_d           ; Y3 = M (S - X3) - 8 Y^4
    mul  ea, h, d               ; H^3
    setb X==1
    mov  sx, pt
    csel sx, sx, pt+2
    sub  r, ra, jy              ; r = Y2 - Y1
    mul  va, jx, d              ; V = X1 H^2
    mov  sy, pt+1
    csel sy, sy, pt+3
    setb X==2
    mul  jz, jz, h              ; Z3 = Z1 H
    csel sx, sx, pt+4
    mul  ta, r, r
    add  wb, va, va
    add  wc, wb, ea
    sub  jx, ta, wc             ; X3 = r^2 - H^3 - 2 V
    mul  eb, jy, ea
    sub  vb, va, jx
    mul  xx, jx, jx
    csel sy, sy, pt+5
    setb X==3
    csel sy, sy, pt+7
    mul  vc, vb, r
    csel sx, sx, pt+6
    sub  jy, vc, eb             ; Y3 = r (V - X3) - Y1 H^3
    mul  z4, jz, jz
    mul  z5, z4, z4
    mul  tz, wa, z5
    loop c2, .window

    candidate 4                 ; (sx, sy) of the last window again
    candidate 5
    candidate 6
    candidate 7
    signed
    jmp  last_addition
