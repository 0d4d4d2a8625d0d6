; What the sequencer goes on with when it cannot: chk with another number of operands, rnd without entropy.
; rnd comes when the scalar is in its slot, which a packet's results come from, and maybe in the unit: it is wiped.
.entry 62 trap_length
.entry 63 trap_entropy
.routine trap_length
    done BAD_LENGTH, 0
trap_entropy:
    forget_scalar
    done NO_ENTROPY, 0
