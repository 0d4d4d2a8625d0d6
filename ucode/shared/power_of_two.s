; sx = 2^c0 modulo R; c0 counts down to 0.
.routine power_of_two
.out sx
    mov  sx, one
    loop c0, .double
    ret
.double:
    iadd sx, sx, sx
    loop c0, .double
    ret
