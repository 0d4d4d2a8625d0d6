; A program for a small memory, which does not read its results back.
.macro verify_x
.endmacro
.macro verify_results
.endmacro
