; A random scalar: k = (A + B R) mod n from two draws of bits(p) bits. The bias is below 2^-64. The draws are wiped.
; out   k in [0, n)
.routine random_scalar
.out k sx
.reg t, u, lo, mm
    rnd  DRAW
    ld   k, DRAW
    mull k, k, one              ; a register can have more bits than p
    rnd  DRAW
    ld   t, DRAW
    mull t, t, one
    wipe DRAW
    call times_r2n
    mov  u, k
    mov  k, t
    call mont                   ; B R mod n
    mov  t, k
    mov  k, u
    call times_one              ; A mod n
    add_n_select k, k, t
    sub  t, t, t
    sub  u, u, u
    ret
