; co_z in its place, so that the assembler orders the whole table as one block.
.macro next_multiple
    co_z
.endmacro
