; Compares the result slots with qx and qy, so that a result that was not stored does not leave the engine.
.macro verify_x
    ld   sx, 0
    isub sx, sx, qx
    br   !Z, fault
.endmacro
.macro verify_results
    verify_x
    ld   sx, 1
    isub sx, sx, qy
    br   !Z, fault
.endmacro
