; Wipes the slots of operands, which may be secret.
.routine wipe_operands
    wipe 0
    wipe 1
    wipe 2
    wipe 3
    wipe 4
    wipe 5
    wipe 6
    wipe 7
    ret
; Operation codes of no job start here.
.routine bad_op
    call wipe_operands
    done BAD_OP, 0
