; These programs take no secrets, and multiply without a random element.
.macro draw_bits
.endmacro
.macro load_z
.endmacro
.macro draw_z
.endmacro
