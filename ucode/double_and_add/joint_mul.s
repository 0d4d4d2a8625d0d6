; u1 G + u2 P of public scalars by their non-adjacent forms with shared doublings. Variable time.
; in    slot SCALAR = u2, slot PUBLIC = u1; px, py is a point of the curve other than infinity; modulus 0 selected
; out   qx, qy; B = the result is infinity
; cost  bits(N) + 1 doublings, two thirds as many additions, the inversion at the end
.routine joint_mul_var
.in px py
.out qx qy zs px py inv t1 t3
.reg x, plus, minus, base_minus
    .assume px modp ; by contract
    .assume py modp ; by contract
    mod  1
    recode SCALAR, TRIPLE
    recode PUBLIC, TRIPLE_BASE
    mod  0
    no_sum
    mov  x, px
    mov  plus, py
    add  minus, px, py
    add  base_minus, gx, gy
    first_digit
.bit:
    double_point
    digit PUBLIC, TRIPLE_BASE
    br   !B, .second
    setb P
    mov  px, gx
    csel py, base_minus, gy
    call add_point_var
.second:
    digit SCALAR, TRIPLE
    br   !B, .next
    setb P
    mov  px, x
    csel py, minus, plus
    call add_point_var
.next:
    loop c0, .down
.down:
    loop c1, .bit
    call to_affine_var
    setb Z
    ret
