; The sequencer continues here if chk finds another number of operands, or if rnd gets no entropy.
; At a rnd the scalar is in its slot, from which the results of a packet are read, and maybe in the unit: both are wiped.
.entry 62 trap_length
.entry 63 trap_entropy
.routine trap_length
    done BAD_LENGTH, 0
trap_entropy:
    forget_scalar
    done NO_ENTROPY, 0
