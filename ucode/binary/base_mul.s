; k G for the nonce of a signature: only x is wanted, as an integer. in k in [1, n), modulus 1 selected; out qx, k is gone.
.routine base_mul
.in k
.out k qx qy scalar square square_y
    st   SCALAR, k
    isub k, k, k
    mod  0
    load_scalar
    call base_point_mul
    setb Z
    csel qx, qx, zero_p
    .declassify qx ; the signature shows it modulo n
    st   SCALAR, qx
    mod  1
    ld   qx, SCALAR
    ret
