; A program for a small memory, which does not compare the key after a signature.
.macro verify_key
.endmacro
