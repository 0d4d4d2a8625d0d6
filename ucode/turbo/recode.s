; k to odd signed digits of 4 bits: sum of (2 u_i - 15) 16^i = 2 U - 15 (sum of 16^i) = k mod n, u_i the digits of
; U = k / 2 + offset mod n. Every digit is odd, none needs a case of its own (Joye, Tunstall 2009, moved by a constant).
; in    k in [0, n);  out the slot SCALAR holds U
.routine recode
.in k
.reg t, lo, mm
    mont_n t, k, half_n
    add_n t, t, offset
    st   SCALAR, t
    ret
