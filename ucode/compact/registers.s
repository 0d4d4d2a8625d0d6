; Registers, mailbox slots and constants that all routines share.
;
; Curve constants: public, set by CURVE_LOAD, kept between jobs. M(x) = x * R mod p is the Montgomery form of x.
.global_reg p = 0               ; field modulus
.global_reg n = 1               ; order of the base point
.global_reg par = 2             ; parameter element; the field unit reads -p^-1, -n^-1 from it
.global_reg zero = 3            ; 0, over the long length
.global_reg one = 4             ; integer 1
.global_reg one_p = 5           ; M(1) = R mod p
.global_reg r2p = 6             ; R^2 mod p
.global_reg one_n = 7           ; R mod n
.global_reg r2n = 8             ; R^2 mod n
.global_reg a = 9               ; M(a); a24 on a Montgomery curve
.global_reg b = 10              ; M(b); 2^(bits(p) - 1) on a Montgomery curve
.global_reg ord = 13            ; N = h n, long
.global_reg ord_gap = 14        ; 2^bits(N) - N, modulo R
.global_reg ord66 = 15          ; 2^66 N, long
.global_reg gx = 32             ; M(x of G)
.global_reg gy = 33             ; M(y of G)
.global_block gt, 16, align 16 = 32 ; M() of G, 3G, 5G .. 15G, x and y in turn; 15G = (0, 0) says that there is no table
.public p n par zero one one_p r2p one_n r2n a b gx gy ord ord_gap ord66 constants
.public gt+2 gt+3 gt+4 gt+5 gt+6 gt+7 gt+8 gt+9 gt+10 gt+11 gt+12 gt+13 gt+14 gt+15
.range zero long
.range one_p modp
.range r2p modp
.range one_n modn
.range r2n modn
.range a modp
.range b modp
.range gx modp
.range gy modp
.range ord long
.range ord66 long

; Operands and results of the shared routines.
.global_reg px = 16             ; M(x), M(y) of the input point
.global_reg py = 17
.global_reg k = 18              ; scalar, integer below N
.global_reg qx = 19             ; x, y of the result; M() inside, integers at the end
.global_reg qy = 20
.global_reg base = 21           ; modexp: M(base) -> M(base^exponent)
.global_reg exponent = 22       ; modexp: public integer
.global_reg unit = 23           ; modexp: M(1) of the modulus selected
.global_reg jx = 24             ; Jacobian accumulator of the variable-time routines
.global_reg jy = 25
.global_reg jz = 26
.global_reg sx = 27             ; summand for it: affine, or with the same Z
.global_reg sy = 28
.global_reg share = 29          ; shares of the key, below n: see key_shares.s
.global_reg mask = 30
.global_reg factor = 11         ; blinds the inverse of the nonce
.global_reg nonce = 31          ; of a signature
.global_reg encoded = 23        ; encode_scalar: bits of the ladder, long; the place of unit, which is needed later
.global_reg even = 26           ; and the even one of k and N - k; the place of jz
.global_reg constants = 12      ; sum of the constants of the curve modulo R, see check_constants

.slot SCALAR = 8                ; bits of the ladder's scalar
.slot PUBLIC = 9                ; bits of public numbers: u1
.slot PUBLIC2 = 10              ; u2
.slot DRAW = 11                 ; entropy
.slot EXPONENT = 13             ; bits of the public exponent
.slot KEY = 12                  ; the private key in two shares, and their check word: see key_shares.s
.slot KEY_MASK = 14
.slot KEY_CHECK = 15
.public PUBLIC PUBLIC2 EXPONENT
.secret SCALAR DRAW KEY KEY_MASK KEY_CHECK
.kept KEY ; jobs with the flag KEY use it
.kept KEY_MASK ; as KEY
.kept KEY_CHECK ; as KEY

; For the signature with nonce k: qx = x of k G, an integer below p; factor = M(f); base = M(1/(nonce f)). k = nonce stays.
.macro multiply_nonce
    call base_mul
    .declassify qx ; x modulo n is part of the signature
    .assume qx int ; below p, not below n
    isub t, k, nonce
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    mod  1
    call blinding_factor
    mul  base, nonce, r2n
    mul  base, base, factor
    call fermat_inverse_n
.endmacro
; Shared routines use this macro to select the unit for integers. Here one field unit serves every modulus.
.macro select_n
.endmacro
