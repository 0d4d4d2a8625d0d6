; Registers that every routine knows. All data of this engine are public.
.global_reg p = 0               ; field modulus, set by CURVE_LOAD
.global_reg n = 1               ; order of the base point, set by CURVE_LOAD
.global_reg px = 2              ; operands
.global_reg py = 3
.global_reg qx = 4              ; results
.global_reg qy = 5
.public p n

; All data are public: results are not read back, and nothing is checked for errors.
.macro verify_results
.endmacro
