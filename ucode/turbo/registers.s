; Registers, mailbox slots and constants that all routines share. A value mod p is any representative below 2^bits(p).
;
; Curve constants: public, the same in all threads, set by CURVE_LOAD, kept between jobs. R = 2^bits(p).
.global_reg p = 0               ; field modulus
.global_reg n = 1               ; order of the base point
.global_reg zero = 2
.global_reg one = 3
.global_reg a = 4
.global_reg b = 5
.global_reg gx = 6              ; base point
.global_reg gy = 7
.global_reg ninv = 8            ; n^-1 mod R
.global_reg r2n = 9             ; R^2 mod n
.global_reg half_n = 10         ; R / 2 mod n: a Montgomery product by it halves
.global_reg offset = 11         ; (2^L - 1) / 2 mod n, L = bits(n) rounded up to windows of 4 bits
.global_reg n_gap = 12          ; 2^bits(n) - n
.global_reg sum = 14            ; of all these constants, see sum_and_forget
.public p n zero one a b gx gy ninv r2n half_n offset n_gap sum

; Operands and results of the shared routines.
.global_reg rz = 15             ; randomiser of projective coordinates, not 0 mod p
.global_reg px = 16             ; input point
.global_reg py = 17
.global_reg k = 18              ; scalar, integer below n
.global_reg base = 19           ; inversion: base -> its inverse
.global_reg exponent = 20       ; public integer, the same in all threads; factor of mul_n
.global_reg jx = 21             ; accumulator, modified Jacobian: x = X / Z^2, y = Y / Z^3; xx = X^2, tz = a Z^4 or its substitute
.global_reg jy = 22
.global_reg jz = 23
.global_reg tz = 24
.global_reg xx = 25
.global_reg sz = 25             ; Z of a Jacobian summand (sx : sy : sz)
.global_reg sx = 26             ; summand: affine, or with the same Z
.global_reg sy = 27
.global_reg h = 28              ; last mixed addition: difference of the x
.global_reg r = 29              ; and of the y
.global_reg c = 30              ; common Z of the window table
.global_reg wa = 31             ; a c^4
.global_block pt, 16, align 16 = 48 ; P, 3P .. 15P, x and y in turn, all on Z = c
.global_block runs, 8, align 8 = 48 ; its first entries: powers of `base` in an inversion

.slot SCALAR = 8                ; bits of the recoded scalar; before it is recoded:
.slot PUBLIC = 8                ; bits of public numbers
.slot DRAW = 8                  ; entropy
.slot KEY_MASK = 9              ; the private key is KEY + KEY_MASK modulo n,
.slot P_STEPS = 10              ; p - 2 as runs of ones, see runs_of_ones
.slot P_RUNS = 11
.slot KEY = 12
.slot N_STEPS = 13              ; n - 2 likewise
.slot N_RUNS = 14
.slot KEY_CHECK = 15            ; and KEY_CHECK = KEY + R KEY_MASK modulo n
.slot K1 = 3                    ; scalar of `multiple`; with BLIND it is K1 + K2 modulo n
.slot K2 = 2
.slot PX = 4                    ; point of `multiple`, as it came: the inversion wipes the slots 6 and 7
.slot PY = 5
.slot ENTRY_X = 6               ; `scan` writes here and to slots 4, 5: no operands while the base point is multiplied
.slot ENTRY_Y = 7
.public P_STEPS P_RUNS N_STEPS N_RUNS
.secret SCALAR KEY KEY_MASK KEY_CHECK
.kept KEY ; jobs with the flag KEY use it
.kept KEY_MASK ; with the key
.kept KEY_CHECK ; with the key
