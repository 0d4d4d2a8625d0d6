; Arithmetic modulo the prime of the field unit, by its own operations. turbo_generic/modular_p.s has the same macros for
; other primes: there the form of values, the modulus and the constants differ.
.global_reg one_p = 3           ; 1
.global_reg comb_offset = 13    ; (2^(24 COLS) - 1) / 2 mod n
.public comb_offset
; Converts an integer below p to a value mod p.
.macro enter rd
.endmacro
; Converts a value mod p to the integer below p; sets Z.
.macro leave rd
    canon rd, rd
.endmacro
; p of the field unit. The job ends with BAD_MODULUS unless the p of the packet is the same.
.macro load_modulus t
    sub  t, zero, one
    canon t, t
    iadd p, t, one
    ld   t, 1
    isub t, t, p
    br   !Z, bad_modulus
.endmacro
; Derives the constants of the arithmetic mod p.
.macro derive_p
.endmacro
; Derives what inversions mod p and mod n need.
.macro prepare_inversion t
    iadd t, one, one
    isub exponent, p, t
    call runs_of_ones
    st   P_STEPS, sx
    st   P_RUNS, sy
    iadd t, one, one
    isub exponent, n, t
    call runs_of_ones
    st   N_RUNS, sy
    mov  sy, sx
    call mark_wide
    st   N_STEPS, sy
.endmacro
; The table of the base point, if the engine has one for this curve.
.macro find_table
    call match_table
.endmacro
.macro use_table
    br   COMB, comb_mul
.endmacro
; Wipes the registers that hold constants in other programs only.
.macro forget_own
    .block w32, 2, align 2 = 32
    mulw w32, zero, zero
.endmacro
; A canonical value mod p as an integer.
.macro integer rd
.endmacro
.macro add_own_constants
    iadd sx, sx, comb_offset
.endmacro
.macro wipe_own
    rewind                      ; digits of the comb
.endmacro
