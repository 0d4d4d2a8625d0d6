; The sequencer continues here if chk finds another number of operands, if rnd gets no entropy, or if the entropy source
; has failed its health tests. The port starts a job at trap_length if its packet is malformed after the first operand word.
.entry 62 trap_length
.entry 63 trap_entropy
.entry 61 trap_health
.routine trap_length
    call wipe_operands
    done BAD_LENGTH, 0
trap_entropy:
    call refuse
    done NO_ENTROPY, 0
trap_health:
    call refuse
    done ENTROPY_FAILED, 0
