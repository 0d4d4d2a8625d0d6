; Wipes what a job without a result leaves: registers, and the slots of operands, scalar and entropy.
.routine refuse
    forget_units
    wipe SCALAR
    wipe DRAW
    jmp  wipe_operands
