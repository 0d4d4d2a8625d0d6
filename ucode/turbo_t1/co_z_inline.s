; co_z as a macro, so that the assembler orders the computation of the whole table as one block.
.macro next_multiple
    co_z
.endmacro
; Wipes registers that to_affine uses only because the assembler renames registers when it orders operations.
.macro forget_renamed
    mov  tz, zero
    mov  xx, zero
    mov  h, zero
    mov  r, zero
    mov  c, zero
    mov  wa, zero
.endmacro
