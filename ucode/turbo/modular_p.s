; Arithmetic modulo the prime of the field unit: its own operations. What a program for other primes does otherwise
; (turbo_generic/modular_p.s): the form of values, the modulus, constants.
.global_reg one_p = 3           ; 1
.global_reg comb_offset = 13    ; (2^(24 COLS) - 1) / 2 mod n
.public comb_offset
; An integer below p becomes a value mod p.
.macro enter rd
.endmacro
; A value mod p as the integer below p; sets Z.
.macro leave rd
    canon rd, rd
.endmacro
; p, the one of the field unit; that of the packet has to be the same.
.macro load_modulus t
    sub  t, zero, one
    canon t, t
    iadd p, t, one
    ld   t, 1
    isub t, t, p
    br   !Z, bad_modulus
.endmacro
; Constants of the arithmetic mod p, from p.
.macro derive_p
.endmacro
; What inversions mod p and mod n need.
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
; The base point's table, if the engine has one and it is of this curve.
.macro find_table
    call match_table
.endmacro
.macro use_table
    br   COMB, comb_mul
.endmacro
; Registers that only other programs keep.
.macro wipe_own
    .reg r32 = 32
    .reg r33 = 33
    rewind                      ; digits of the comb
    mov  r32, zero
    mov  r33, zero
.endmacro
