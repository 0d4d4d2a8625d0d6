; A program for a small memory, which does not read its results and its key back.
.macro verify_x
.endmacro
.macro verify_results
.endmacro
.macro verify_key
.endmacro
