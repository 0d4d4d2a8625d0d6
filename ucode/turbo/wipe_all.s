; Wipes every secret: all mailbox slots, and all registers except the curve constants. The job ZEROISE and the zeroise
; input use it.
.routine wipe_all
.out zero
.clobber rz px py k base exponent jx jy jz tz xx sx sy h r c wa pt
    keyv 0
    call wipe_operands
    wipe 8
    wipe KEY_MASK
    wipe KEY
    wipe KEY_CHECK
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    mov  jx, zero
    mov  jy, zero
    call forget_job
    wipe_own
    ret
