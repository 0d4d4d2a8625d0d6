; k = h k, where h is 2 or 4; modulus n selected.
.routine times_cofactor
.in k
.out k
    iadd k, k, k
    br   TWOFOLD, .twofold
    iadd k, k, k
.twofold:
    ret
