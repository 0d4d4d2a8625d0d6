; A random scalar: k = (A + B R) mod n from two draws of W + 3 words, of which W are used. The bias is below 2^-64.
; out   k in [0, n), integer; modulus n selected. The draws are wiped.
.routine random_scalar
.out k
.reg low, high
    mod  1
    rnd  DRAW
    ld   low, DRAW
    rnd  DRAW
    ld   high, DRAW
    wipe DRAW
    mul  low, low, r2n          ; A R                     < n
    mul  low, low, one          ; A mod n                 < n
    mul  high, high, r2n        ; B R mod n               < n
    add  k, low, high           ; A + B R mod n           < n
    sub  high, high, high
    sub  low, low, low
    ret
