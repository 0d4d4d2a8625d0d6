; Recodes k to L signed bits: k mod n is the sum of +-2^i for i < L, with + if bit i of U is 1, where
; U = k / 2 + (2^L - 1) / 2 mod n. Digits made of signed bits are never 0, so that no digit is a special case (Joye, Tunstall
; 2009, shifted by a constant): a digit of 4 bits with the value u is 2 u - 15.
; in    k in [0, n), sx = (2^L - 1) / 2 mod n
; out   slot SCALAR = sx = U
.routine recode
.in k sx
.out sx
.reg t, lo, mm
    mont_n_select t, k, half_n
    add_n_select t, t, sx
    mov  sx, t
    st   SCALAR, sx
    ret
