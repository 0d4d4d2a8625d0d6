; Scalar multiplication by double-and-add over the non-adjacent form of k: (qx, qy) = k (px, py). VARIABLE TIME: for public
; scalars only.
; in, out  as in by_bits.s
; cost     bits(N) doublings, a third as many additions, the inversion at the end
.routine scalar_mul
.in px py
.out qx qy zs py inv t1 t3
.reg plus, minus
    .declassify SCALAR scalar ; double-and-add reveals k by its time; jobs of these programs take only public scalars
    br   FBLIND, refuse_blinding
    .assume px modp ; by contract
    .assume py modp ; by contract
    mod  1
    recode SCALAR, TRIPLE
    mod  0
    no_sum
    mov  plus, py
    add  minus, px, py
    first_digit
.leading:
    digit SCALAR, TRIPLE
    br   B, .add
    loop c0, .lower
.lower:
    loop c1, .leading
    jmp  to_affine_var
.bit:
    double_point
    digit SCALAR, TRIPLE
    br   !B, .next
.add:
    setb P
    csel py, minus, plus
    call add_point_var
    loop c0, .zero
.zero:                          ; the digit after a nonzero digit is 0
    loop c1, .twice
    jmp  to_affine_var
.twice:
    double_point
.next:
    loop c0, .down
.down:
    loop c1, .bit
    jmp  to_affine_var
