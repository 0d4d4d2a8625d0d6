; Wipes every secret: all mailbox slots, and all registers except the curve constants. The job ZEROISE and the zeroise
; input use it.
.routine wipe_all
.out zero
.clobber sz rz px py k base exponent jx jy jz tz xx sx sy h r c wa pt
    keyv 0
    call wipe_operands
    wipe 8
    wipe 9
    wipe 12
    wipe 15
    ld   zero, PUBLIC           ; maybe no curve has set it yet
    mov  jx, zero
    mov  jy, zero
    call forget_job
    wipe_own
    ret
