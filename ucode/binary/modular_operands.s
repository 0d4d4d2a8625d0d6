; Operands of the MOD_ jobs. Each routine ends the job with COORD_RANGE if an operand is not below the modulus.
.routine load_elements          ; px, py of GF(2^m); modulus 0 selected
.out px py
    mod  0
    load_element px, 0
    load_element py, 1
    ret
.routine load_integer           ; qx below n; modulus 1 selected
.out qx
.reg t
    mod  1
    ld   qx, 0
    isub t, qx, n
    br   !C, coord_range
    .assume qx modn ; compared
    ret
.routine load_integers          ; qx, qy below n
.out qx qy
    call load_integer
    ld   qy, 1
    isub t, qy, n
    br   !C, coord_range
    .assume qy modn ; compared
    ret
