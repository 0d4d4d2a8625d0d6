; co_z as a macro, so that the assembler orders the computation of the whole table as one block.
.macro next_multiple
    co_z
.endmacro
