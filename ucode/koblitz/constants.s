; Constants of a Koblitz curve, in addition to those of ucode/binary/registers.s. They are integers, in registers whose
; numbers hold curve constants in the unit for GF(2^m); ZEROISE therefore keeps them. The notes in
; eccelerate/model/koblitz.py explain what each is for.
.global_reg lifted = 0          ; n + 2^64: n and this modulus have the same -1/n modulo 2^64
.global_reg lift = 14           ; 2^64
.global_reg first_s = 15        ; M(s), first coordinate, where s is the conjugate of delta
.global_reg second_s = 32
.global_reg first_d = 33        ; modulo n + 2^64: R delta 2^((m - 11) / 2) / n
.global_reg second_d = 34
.global_reg sum_d = 35          ; first_d + mu second_d
.global_reg top = 49            ; 2^(m - 4)

.slot FIRST = 8                 ; (r + 2^L) 2^((m - 11) / 2), first coordinate r: digits of the columns from bit m - 4 down
.slot SECOND = 11               ; the same for the second coordinate
.secret FIRST

; For the checker: it knows one range for each register number, which is that of the unit for GF(2^m).
.macro known constant
    .assume constant int ; CURVE_LOAD made it
    .assume constant modn ; below n, or for d and top below n + 2^64
.endmacro
; Selects integers modulo n + 2^64. The unit reads the modulus from register n.
.macro select_lifted
    mov  n, lifted
    mod  1
.endmacro
; Selects integers modulo n again.
.macro select_unlifted
    isub n, lifted, lift
    mod  1
.endmacro

; In the unit for GF(2^m): the points tau P + P, for a column of two equal digits, and tau P - P, for a column of two
; different ones. Each has x, lambda + 1 (g), and lambda (h), which is lambda + 1 of the opposite point.
.global_reg same_x = 16
.global_reg same_g = 17
.global_reg same_h = 18
.global_reg other_x = 19
.global_reg other_g = 20
.global_reg other_h = 21
