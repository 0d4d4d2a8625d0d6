; k G by the comb: digits of 6 signed bits, COLS columns of 4 digits, 4 tables of multiples of G. The table memory holds them
; in affine coordinates; an addition adds or subtracts them. Digits, tables and order are in eccelerate/model/comb.py.
; in    k in [0, n), rz not 0 mod p
; out   jx, jy, jz
;
; While products run, the table entry after the next one is shown to the mailboxes (scan), and the next one is taken as soon
; as (sx, sy) has been used. In this order of operations no product waits (found by simulation of the field unit).
; Exceptions. On the named curves only the last addition can meet an equal or opposite point (Comb.coincidences finds all
; scalars for which another one would). There k = 0 gives Z = 0, and last_addition doubles equal points.
; cost  7 M + (4 COLS - 1) 11 M + (COLS - 1) 10 M + 7 M; if a = -3, 8 M instead of 10 M

; (jx, jy, jz) + (sx, sy) if B, else (jx, jy, jz) - (sx, sy); z2 = jz^2 (Cohen, Miyaji, Ono 1998). The sign decides whether two
; random numbers are added or subtracted: a negation would be 0 - y or 0 + y, and show which. B is set for the next entry when
; it is taken.
; First part: until (sx, sy) may be overwritten.
.macro add_entry
    mul  t, jz, z2
    mul  u, sx, z2
    mul  s, sy, t
    sub  h, u, jx               ; H = X2 - X1
    mul  d, h, h
.endmacro
; Second part, which also takes the next entry.
.macro take_next
    caught
    take sx
    mul  jz, jz, h              ; Z3 = Z1 H
    addsub r, jy, s             ; -R = Y1 - Y2
    take sy
    mul  e, h, d                ; H^3
    setb !P
    mul  v, jx, d               ; V = X1 H^2
    mul  t, r, r
.endmacro
; Second part without a next entry.
.macro take_none
    mul  jz, jz, h
    addsub r, jy, s
    mul  e, h, d
    mul  v, jx, d
    mul  t, r, r
.endmacro
; Third part.
.macro add_rest
    add  u, v, v
    mul  d, jy, e
    add  u, u, e
    mul  z2, jz, jz
    sub  jx, t, u               ; X3 = R^2 - H^3 - 2 V
    sub  s, jx, v
    mul  e, s, r
    sub  jy, e, d               ; Y3 = -R (X3 - V) - Y1 H^3
.endmacro
.routine comb_mul
.in k rz
.out jx jy jz
.clobber exponent tz xx sx sy h r c wa
; These numbers are far enough apart that no operation waits for an earlier use of its register.
.reg z2 = 36
.reg t = 33
.reg u = 37
.reg s = 38
.reg d = 40
.reg e = 41
.reg v = 46
.reg y2 = 47
    mov  sx, comb_offset
    call recode
    mov  c, one
    mov  wa, a
    setc c0, COLS-1
    rewind
    scan SCALAR
    mov  exponent, sx           ; the first entry takes its time: see `multiple`
    mov  sx, comb_offset
    call check_recoded
    caught
    take jx
    take jy
    setb P
    scan SCALAR
    sub  u, zero, jy
    csel jy, jy, u
    mul  z2, rz, rz             ; change to a random Z
    mul  t, rz, z2
    mul  jx, jx, z2
    mul  jy, jy, t
    mov  jz, rz
    caught
    take sx
    take sy
    setb !P
    scan SCALAR
    jmp  .second
.column:
    br   !AM3, .any_a
    add  y2, jy, jy
    mul  v, y2, jy              ; 2 Y^2
    add  u, jx, z2
    sub  t, jx, z2
    mul  u, t, u
    add  e, u, u
    mul  s, jx, v               ; 2 X Y^2
    mul  d, v, v                ; 4 Y^4
    add  u, u, e                ; M = 3 (X - Z^2) (X + Z^2)
    mul  t, u, u
    add  s, s, s                ; S = 4 X Y^2
    add  xx, s, s
    sub  jx, t, xx              ; X3 = M^2 - 2 S
    mul  jz, y2, jz
    mul  z2, jz, jz
    add  d, d, d
    sub  s, s, jx
    mul  tz, s, u
    sub  jy, tz, d              ; Y3 = M (S - X3) - 8 Y^4
    add_entry
    jmp  .added
.any_a:
    mul  tz, z2, z2
    add  y2, jy, jy
    mul  xx, jx, jx
    mul  tz, wa, tz             ; a Z^4
    mul  v, y2, jy              ; 2 Y^2
    add  u, xx, xx
    mul  s, jx, v               ; 2 X Y^2
    add  u, u, xx
    mul  jz, y2, jz
    add  u, u, tz               ; M = 3 X^2 + a Z^4
    add  s, s, s                ; S = 4 X Y^2
    mul  t, u, u
    add  y2, s, s
    mul  e, v, v                ; 4 Y^4
    mul  z2, jz, jz
    sub  jx, t, y2              ; X3 = M^2 - 2 S
    sub  s, s, jx
    mul  t, s, u
    add  e, e, e
    sub  jy, t, e               ; Y3 = M (S - X3) - 8 Y^4
    add_entry
.added:
    take_next
    scan SCALAR
    add_rest
.second:
    add_entry
    take_next
    scan SCALAR
    add_rest
    add_entry
    take_next
    loop c0, .more
    add_rest
    add_entry                   ; the last one
    take_none
    add_rest
    sub  u, zero, sy
    csel sy, u, sy
    jmp  last_addition
.more:
    scan SCALAR
    add_rest
    add_entry
    take_next
    scan SCALAR
    add_rest
    jmp  .column
