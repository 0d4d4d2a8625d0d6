; Scalar multiplication by double-and-add, bit by bit: (qx, qy) = k (px, py). VARIABLE TIME: for public scalars only.
; in    slot SCALAR = k < 2^bits(N); px, py is a point of the curve other than infinity; modulus 0 selected
; out   qx, qy; Z = the result is infinity
; cost  bits(N) - 1 doublings, half as many additions, the inversion at the end
.routine scalar_mul
.in px py
.out qx qy zs inv t1 t3
    .declassify SCALAR scalar ; double-and-add reveals k by its time; jobs of these programs take only public scalars
    br   FBLIND, refuse_blinding
    .assume px modp ; by contract
    .assume py modp ; by contract
    no_sum
    setc c0, NBITS-1
.leading:
    ldb  SCALAR, c0
    br   B, .add
    loop c0, .leading
    jmp  to_affine_var
.bit:
    double_point
    ldb  SCALAR, c0
    br   !B, .next
.add:
    call add_point_var
.next:
    loop c0, .bit
    jmp  to_affine_var
