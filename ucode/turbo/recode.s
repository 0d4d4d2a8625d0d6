; k to signed bits: sum of +-2^i = k mod n, i < L, + where the bit of U = k / 2 + (2^L - 1) / 2 mod n is 1. Digits made of
; them are never 0, none needs a case of its own (Joye, Tunstall 2009, moved by a constant): those of 4 bits, value u, are
; 2 u - 15.
; in    k in [0, n), sx = (2^L - 1) / 2 mod n;  out the slot SCALAR holds U
.routine recode
.in k sx
.reg t, lo, mm
    mont_n t, k, half_n
    add_n t, t, sx
    st   SCALAR, t
    ret
