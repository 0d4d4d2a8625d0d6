; The sequencer continues here if chk finds another number of operands, or if rnd gets no entropy.
; Secrets that the job has read by then are wiped: rnd comes after the scalar is loaded.
.entry 62 trap_length
.entry 63 trap_entropy
.routine trap_length
    done BAD_LENGTH, 0
trap_entropy:
    done NO_ENTROPY, 0
