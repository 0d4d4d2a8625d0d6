; Constants of a Koblitz curve, integers beside those of ucode/binary/registers.s: on numbers that the curve has in the unit for
; GF(2^m), and so kept by a zeroise. The notes in eccelerate/model/koblitz.py say what they are for.
.global_reg lifted = 0          ; n + 2^64: the same -1/n modulo 2^64 serves both
.global_reg lift = 14           ; 2^64
.global_reg first_s = 15        ; M(s), s the conjugate of delta, coordinate by coordinate
.global_reg second_s = 32
.global_reg first_d = 33        ; modulo n + 2^64: R delta 2^((m - 11) / 2) / n
.global_reg second_d = 34
.global_reg sum_d = 35          ; first_d + mu second_d
.global_reg top = 49            ; 2^(m - 4)

.slot FIRST = 8                 ; (r + 2^L) 2^((m - 11) / 2) of both coordinates r: digits of columns, from bit m - 4 down
.slot SECOND = 11
.secret FIRST

; For the checker, which has one range for a number: that of the unit for GF(2^m).
.macro known constant
    .assume constant int ; CURVE_LOAD made it
    .assume constant modn ; below n, or for d and top below n + 2^64
.endmacro
; Integers modulo n + 2^64 from here; the unit takes the modulus from register n.
.macro select_lifted
    mov  n, lifted
    mod  1
.endmacro
; Integers modulo n again.
.macro select_unlifted
    isub n, lifted, lift
    mod  1
.endmacro

; In the unit for GF(2^m): points tau P + P and tau P - P (the digits of a column are the same, or not): x, lambda + 1, and lambda, the opposite point's lambda + 1.
.global_reg same_x = 16
.global_reg same_g = 17
.global_reg same_h = 18
.global_reg other_x = 19
.global_reg other_g = 20
.global_reg other_h = 21
