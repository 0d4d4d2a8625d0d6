; The multiple of all jobs with a secret scalar: k G (c3 = 0) or k P (c3 = 1, or 2 for ECDH) for the scalar in K1, with BLIND
; for K1 + K2 modulo n: the sum of two multiples. Each scalar is uniformly random, and each multiple has a random Z of its own.
; in    slots K1, K2; PX, PY for k P
; out   jx, jy, jz
; The recoded scalar in its slot is computed again after the multiplication. It must be the same.
.routine multiple
.out jx jy jz
.clobber k px py sx sy sz
.reg x, y, z, t, u, lo, mm
    setc c2, 1
    mov  x, zero
    mov  y, zero
    mov  z, zero
    ld   k, K1
.half:
    call random_unit
    loop c3, .point
    call base_mul
    mov  sx, offset
    br   !COMB, .check
    mov  sx, comb_offset
    jmp  .check
.point:
    loop c3, .agree
    setc c3, 1
    jmp  .load
.agree:
    setc c3, 2
.load:
    ld   px, PX
    ld   py, PY
    call load_point_or_infinity
    iadd t, jz, zero
    setb Z
    csel k, k, zero             ; a multiple of infinity is 0 G
    call scalar_mul
    mov  sx, offset
.check:
    ld   u, SCALAR              ; U = k / 2 + sx, see recode
    sub_n_select u, u, sx
    add_n_select u, u, u
    isub u, u, k
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    br   !FBLIND, .whole
    loop c2, .second
    mov  sx, x
    mov  sy, y
    mov  sz, z
    call jacobian_add
.whole:
    ret
.second:
    mov  x, jx
    mov  y, jy
    mov  z, jz
    ld   k, K2
    jmp  .half
; Fails with FAULT unless jx, jy is a point of the curve. (0, 0) with base = 0 stands for infinity, see to_affine.
.routine check_affine
.in jx jy base
.clobber px py
    mov  px, jx
    mov  py, jy
    call curve_equation
    setb Z
    iadd t, base, zero
    setb B|Z
    .declassify B ; only a fault gets here
    fail !B, FAULT
    ret
; B = (jx : jy : jz) has the affine x sx; infinity has x = y = 0. Then h = z^2.
.routine compare_x
.in jx jy jz sx
.out jx jy jz h
    canon t, jz
    setb Z
    csel jx, jx, zero
    csel jy, jy, zero
    csel jz, jz, one
    mul  h, jz, jz
    mul  t, sx, h
    sub  t, t, jx
    canon t, t
    setb Z
    ret
; B = (jx : jy : jz) is (sx, sy).
.routine compare_point
.in jx jy jz sx sy
.out jx jy jz h
    call compare_x
    mul  h, h, jz
    mul  t, sy, h
    sub  t, t, jy
    canon t, t
    setb B&Z
    ret
