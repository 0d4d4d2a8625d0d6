; Registers, mailbox slots and constants that all routines share. There are two field units: the same number is a different
; register in each of them.
; Integers modulo n (mod 1). M(x) = x * R mod n is the Montgomery form of x.
.global_reg n = 1               ; order of the base point
.global_reg par = 2             ; parameter element; the unit reads -n^-1 from it
.global_reg zero = 3            ; 0, over the long length
.global_reg one = 4             ; integer 1
.global_reg one_n = 5           ; R mod n
.global_reg r2n = 6             ; R^2 mod n
.global_reg ord = 7             ; N = h n, long
.global_reg multiple = 8        ; 3 N or 4 N, even, at least 2^(bits(N) + 1), long: scalar_mul.s adds it to scalars
.global_reg k = 9               ; scalar
.global_reg base = 10           ; modexp: M(base) -> M(base^exponent)
.global_reg exponent = 11       ; modexp: public integer
.global_reg unit = 12           ; modexp: M(1)
.global_reg sx = 13             ; power_of_two
.global_reg power = 16          ; modexp: power of base so far, and others
.global_reg power2 = 17
.global_reg power3 = 18
.global_reg power5 = 19
.global_reg power7 = 20
.global_reg spare = 21          ; free for integers; wiped like the others
.global_reg cofactor_bits = 28  ; h 2^(bits(N) - bits(h)), h = floor(N / n)
.global_reg cofactor_end = 29   ; 2^(bits(N) - bits(h))
.global_reg constants = 30      ; sum of the integers that are constants of the curve: see curve_sums.s
.global_reg constants_n = 26     ; r2n again
.global_reg h_inv = 31          ; M(1/h) for the cofactor h
.global_reg short = 36          ; between 2^92 - 2^64 and 2^92, and equal to n modulo 2^64; 0: none is used
.global_reg weight = 37         ; M(2^bits(N))
.global_reg order = 38          ; n again: register n is the modulus, and sometimes another one
.global_reg bit92 = 44          ; 2^92
.global_reg share = 56          ; shares of the key, below n: see key_shares.s. Instructions for the other unit name registers of
.global_reg mask = 39           ; this one, too, which are read: none that writes its 39 is beside one that writes its 56.
.global_reg factor = 58         ; blinds the inverse of the nonce
.global_reg nonce = 59          ; of a signature
.global_reg part = 60           ; shares of the scalar that is multiplied, below n
.global_reg part2 = 61
.global_reg high = 62           ; encode_scalar: the scalar of a blinded ladder
.global_reg low = 63
.public n par zero one one_n r2n ord multiple h_inv cofactor_bits cofactor_end constants constants_n short weight order bit92
.range constants int
.range constants_n int
.range short int
.range weight modn
.range order int
.range bit92 int
.range n int
.range par int
.range zero long
.range one int
.range one_n modn
.range r2n modn
.range h_inv modn
.range ord long
.range multiple long
.range cofactor_bits int
.range cofactor_end int

; GF(2^m) (mod 0).
.global_reg polynomial = 0      ; f - z^m: the unit of a generic build reduces by it
.global_reg one_p = 14          ; 1
.global_reg zero_p = 15         ; 0
.global_reg a = 32              ; of the curve
.global_reg b = 33
.global_reg gx = 34             ; base point
.global_reg gy = 35
.global_reg py = 36             ; y of the input point
.global_reg jx = 37             ; a second point
.global_reg jy = 38
.global_reg inv = 39            ; invert: x -> 1/x
.global_reg added = 44           ; ld to this register sets what is added to the bits of `steps`
.global_reg square = 46         ; px^2, px^2 + py for scalar_mul
.global_reg square_y = 45
.global_reg scalar = 47         ; ld to this register loads the bits of `steps`
.global_reg px = 48             ; x of the input point: the ladder's step reads it here
.global_reg c = 49              ; b^(1/4); the next registers are the others that a step reads and overwrites
.global_reg t1 = 50
.global_reg t2 = 51
.global_reg t3 = 52
.global_reg xs = 56
.global_reg zs = 57
.global_reg xd = 58
.global_reg zd = 59
.global_block old, 4, align 4 = 60
.public polynomial one_p zero_p a b gx gy c
.range polynomial modp
.range one_p modp
.range zero_p modp
.range a modp
.range b modp
.range gx modp
.range gy modp
.range c modp

; In both units: results of a job.
.global_reg qx = 40
.global_reg qy = 41

.slot SCALAR = 0                ; bits of the ladder's scalar; x of the result overwrites it
.slot NONCE = 2                 ; bits of the nonce of a signature without BLIND and CHECK
.slot BLIND = 8                 ; upper bits of a blinded scalar
.slot PUBLIC = 9                ; public numbers
.slot DRAW = 11                 ; entropy
.slot KEY = 12                  ; the private key in two shares, and their check word: see key_shares.s
.slot KEY_MASK = 10
.slot KEY_CHECK = 15
.slot EXPONENT = 13             ; bits of the public exponent
.slot DEGREE = 14               ; m - 1
.public PUBLIC EXPONENT DEGREE
.secret BLIND DRAW KEY KEY_MASK KEY_CHECK
.kept KEY ; jobs with the flag KEY use it
.kept KEY_MASK ; as KEY
.kept KEY_CHECK ; as KEY

; The compact engine reads its results back here.
.macro verify_results
.endmacro
; Shared routines use this macro to select the unit for integers.
.macro select_n
    mod  1
.endmacro
; Loads an operand. The job ends with COORD_RANGE unless it is below z^m.
.macro load_element element, slot
    ld   element, slot
    br   C, coord_range
    .assume element modp ; C is 0
.endmacro
; Loads slot SCALAR for `steps`, which take bits bits(N) to 0 of its sum with `added`. C = the scalar has more than bits(N)
; bits. Modulus 0 selected.
.macro load_scalar
    setc c3, NBITS
    ld   scalar, SCALAR
    .assume scalar modp ; these are bits, not an element
.endmacro
; The same for MUL, BASE_MUL and DOUBLE_MUL. The job ends with SCALAR_RANGE unless 0 <= k < 2^bits(N).
.macro load_checked_scalar
    load_scalar
    .declassify C ; whether the scalar is in range is the status
    br   C, scalar_range
.endmacro
; End of ECDH: x of the multiple, Z = it is infinity; modulus 0 selected.
.macro end_ecdh
    .declassify Z ; infinity, the multiple of a point of small order, is the status
    br   Z, exceptional
    .declassify qx ; the shared secret is the result of the job
    st   0, qx
    mov  qx, zero_p
    mov  qy, zero_p
    mov  zs, zero_p
    mov  zd, zero_p
    done OK, 1
.endmacro
; Erases slot SCALAR and the bits of `steps`.
.macro forget_scalar
    wipe SCALAR
    mod  0
    ld   scalar, SCALAR
.endmacro
; The operands of scalar_mul in addition to the point.
.macro affine_sums
    add  qy, px, py
    mul  square, px, px
    add  square_y, square, py
.endmacro
; The curve equation y (y + x) = x^2 (x + a) + b for px, py: Z = it holds.
; It also makes the affine_sums. (0, 0), the encoding of infinity, is on no curve with b != 0: a job that accepts it continues
; with check_infinity.
.macro curve_equation
    .reg left, right
    affine_sums
    mov  left, b
    add  right, px, a
    mula left, py, qy
    mula left, square, right
.endmacro
