; A random scalar: k = (A + B R) mod n from two draws of bits(p) bits. The bias is below 2^-64. The draws are wiped.
; out   k in [0, n)
.routine random_scalar
.out k
.reg t, lo, mm
    rnd  DRAW
    ld   k, DRAW
    mull k, k, one              ; a register can have more bits than p
    rnd  DRAW
    ld   t, DRAW
    mull t, t, one
    wipe DRAW
    mont_n k, k, r2n
    mont_n k, k, one            ; A mod n
    mont_n t, t, r2n            ; B R mod n
    add_n_select k, k, t
    sub  t, t, t
    ret
