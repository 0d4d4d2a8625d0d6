; What this program checks before a secret multiple leaves: there is no room for more, so that it refuses BLIND and CHECK.
; A thread fails with FAULT unless jx, jy is a point of the curve and the constants are those of CURVE_LOAD. (0, 0) with
; base = 0 stands for infinity, see to_affine.
.routine check_affine
.in jx jy base
.clobber px py
.reg t
    mov  px, jx
    mov  py, jy
    enter px
    enter py
    call curve_equation
    setb Z
    iadd t, base, zero
    setb B|Z
    .declassify B ; only a fault gets here
    fail !B, FAULT
    jmp  check_constants
