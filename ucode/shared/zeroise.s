; Wipes every secret: all mailbox slots, and all registers except the curve constants. The job ZEROISE and the zeroise
; input start here.
.entry ZEROISE_INPUT zeroise_input
.entry ZEROISE job_zeroise
.routine zeroise_input
    call wipe_all
    done ZEROISED, 0
job_zeroise:
    chk  0
    call wipe_all
    done OK, 0
