; Arithmetic modulo any odd p of 256 bits, 2^255 < p < R = 2^256, by operations on integers. The mnemonics mul, mulx, add,
; sub, canon and addsub are macros here, so that this program can use routines written for a field unit that has p.
;
; A value x mod p is its Montgomery form x R mod p, either reduced (0 .. p) or loose (0 .. R - 1):
;   mul, mulx                any operands, result loose; below p if one of them is reduced
;   add, sub, addsub, canon  reduced operands, reduced result; canon below p
;   addl                     ra loose, rb reduced, result loose
.global_reg pinv = 13           ; p^-1 mod R
.global_reg one_p = 32          ; R mod p
.global_reg r2p = 33            ; R^2 mod p
.public pinv one_p r2p

; hi R + lo = ra rb, m = lo / p mod R: hi - floor(m p / R), plus p if that is negative. (Montgomery 1985, see mont_n.)
; The result is above -p in every case, and below p if ra rb < p R.
; cost  3 M + 2 A
.macro mul rd, ra, rb
    .block mul_ab, 2, align 2
    .reg mul_m
    mulw mul_ab, ra, rb
    mull mul_m, mul_ab, pinv
    mulh mul_m, mul_m, p
    isub mul_m, mul_ab+1, mul_m
    caddc rd, mul_m, p
.endmacro
; ra rb - rc re by one reduction, reduced. If one factor of each product is reduced, hi' - (hi + borrow), plus p if negative,
; is at least 0 and below p. Then floor(m p / R) is subtracted, and again p is added if the result is negative.
; cost  4 M + 8 A
.macro mul_sub rd, ra, rb, rc, re
    .block ms_ab, 2, align 2
    .block ms_ce, 2, align 2
    .reg ms_lo, ms_m, ms_c
    mulw ms_ab, ra, rb
    mulw ms_ce, rc, re
    isub ms_lo, ms_ab, ms_ce
    caddc ms_c, ms_lo, one
    isub ms_c, ms_c, ms_lo      ; the borrow
    mull ms_m, ms_lo, pinv
    mulh ms_m, ms_m, p
    iadd ms_c, ms_ce+1, ms_c
    isub ms_c, ms_ab+1, ms_c
    caddc ms_c, ms_c, p
    isub ms_c, ms_c, ms_m
    caddc rd, ms_c, p
.endmacro
.macro mulx rd, ra, rb
    .reg mulx_b
    movx mulx_b, rb
    mul  rd, ra, mulx_b
.endmacro
; ra - (p - rb); cost  3 A
.macro add rd, ra, rb
    .reg add_t
    isub add_t, p, rb
    isub add_t, ra, add_t
    caddc rd, add_t, p
.endmacro
; ra + rb, minus p if there is a carry: that is, R - p = one_p is added; cost  2 A
.macro addl rd, ra, rb
    .reg addl_t
    iadd addl_t, ra, rb
    caddc rd, addl_t, one_p
.endmacro
.macro sub rd, ra, rb
    .reg sub_t
    isub sub_t, ra, rb
    caddc rd, sub_t, p
.endmacro
; B ? ra - rb : ra + rb
.macro addsub rd, ra, rb
    .reg addsub_t
    isub addsub_t, p, rb
    csel addsub_t, addsub_t, rb
    sub  rd, ra, addsub_t
.endmacro
.macro canon rd, ra
    sub  rd, ra, p
.endmacro
.macro enter rd
    mul  rd, rd, r2p
.endmacro
.macro leave rd
    mul  rd, rd, one
.endmacro
.macro integer rd
    leave rd
.endmacro

.macro load_modulus t
    ld   p, 1
    st   PUBLIC, p
    setc c0, 0
    ldb  PUBLIC, c0
    br   !B, bad_modulus        ; p even
    wipe PUBLIC
.endmacro
.macro derive_p
    setc c0, PBITS
    call power_of_two
    iadd sx, sx, zero
    br   !Z, bad_modulus        ; R, where the field unit splits products, needs one bit more than a register has
    call constants_p
    st   PUBLIC, p
    call prime_test_p_var
    br   !B, bad_modulus        ; not a prime
.endmacro
; Exponents are not prepared: they can have more runs of ones than runs_of_ones can store.
.macro prepare_inversion t
.endmacro
; There is no table of the base point.
.macro find_table
.endmacro
.macro use_table
.endmacro
.macro add_own_constants
    iadd sx, sx, pinv
    iadd sx, sx, one_p
    iadd sx, sx, r2p
.endmacro
; All other registers hold constants.
.macro forget_own
.endmacro
.macro wipe_own
.endmacro
