; factor = M(f) for a random f other than 0 with the flag BLIND, else M(1); modulus n selected.
.routine blinding_factor
.out k factor
.reg t
    mov  factor, one_n
    .assume factor modn ; copy of one_n
    br   !FBLIND, .drawn
    call random_scalar
    iadd t, k, zero             ; Z = the draw is 0
    setb Z
    csel factor, k, factor
    .assume factor modn ; both choices are below n
.drawn:
    isub k, zero, zero
    isub t, zero, zero
    ret
