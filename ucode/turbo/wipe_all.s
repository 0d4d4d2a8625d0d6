; Wipes every secret: all mailbox slots, and all registers except the curve constants. The job ZEROISE and the zeroise
; input use it.
.routine wipe_all
.out zero
.clobber rz px py k base exponent jx jy jz tz xx sx sy h r c wa pt
    keyv 0
    wipe PUBLIC
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    call refuse
    mov  sx, zero
    wipe KEY_MASK
    wipe KEY
    wipe KEY_CHECK
    wipe_own
    ret
