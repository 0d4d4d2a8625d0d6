; The multiple of all jobs with a secret scalar: k G (c3 = 0) or k P (c3 = 1, or 2 for ECDH) for the scalar in K1, with BLIND
; for K1 + K2 modulo n: the sum of two multiples. Each scalar is uniformly random, and each multiple has a random Z of its own.
; in    k = K1; for k P (px, py), integers; with BLIND also the slots K2, PX and PY
; out   jx, jy, jz
; multiple_again loads k and the point from K1, PX and PY.
; The scalar is computed again from the recoded scalar, which must be the same in its slot after the multiplication.
.routine multiple_again
.out jx jy jz
.clobber k px py sx sy sz exponent
.reg x, y, z, t
    ld   px, PX
    ld   py, PY
    ld   k, K1
multiple:
    setc c2, 1
    mov  x, zero
    mov  y, zero
    mov  z, zero
.half:
    call random_unit
    loop c3, .point
    call base_mul
    ld   t, SCALAR
    br   COMB, .compare
    jmp  .check
.point:
    .declassify px ; points are public
    .declassify py ; points are public
    loop c3, .agree
    setc c3, 1
    call load_point_or_infinity
    iadd t, jz, zero
    setb Z
    csel k, k, zero             ; a multiple of infinity is 0 G
    jmp  .multiply
.agree:
    setc c3, 2
    call load_point             ; refuses infinity
.multiply:
    call scalar_mul
    ld   t, SCALAR
.check:
    mov  exponent, t
    mov  sx, offset
    call check_recoded
.compare:
    isub t, t, exponent
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
    mov  k, zero                ; between the shares, see load_key
    ld   k, K2
    ld   px, PX
    ld   py, PY
    jmp  .half
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
