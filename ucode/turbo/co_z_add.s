; The macro co_z as a routine.
.routine co_z_add
.in jx jy sx sy
.out jx jy jz sx sy
.reg u, e, w, t
    co_z
    ret
.macro next_multiple
    call co_z_add
.endmacro
