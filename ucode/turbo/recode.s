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
    add_n_select sx, t, sx
    st   SCALAR, sx
    ret
; Fails with FAULT unless U = exponent is a recoded k.
; in    k, exponent; sx as for `recode`
.routine check_recoded
.in k sx exponent
.reg u
    sub_n_select u, exponent, sx
    add_n_select u, u, u
    isub u, u, k
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    ret
