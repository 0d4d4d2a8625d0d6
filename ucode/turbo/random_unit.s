; A random field element other than 0, for projective coordinates.
; out   rz
.routine random_unit
.out rz
    rnd  DRAW
    ld   rz, DRAW
    mull rz, rz, one            ; a register can have more bits than p
    wipe DRAW
    canon rz, rz
    setb Z
    csel rz, rz, one
    ret
