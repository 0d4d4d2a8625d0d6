; Field operations on canonical values: mul, add, sub, half, mov, csel.
.global_reg p = 0
.global_reg n = 1
.global_reg par = 2
.global_reg a = 4
.global_reg b = 5
.global_reg prod = 6
.global_reg sum = 7
.global_reg diff = 8
.global_reg halved = 9
.global_reg prod_n = 10
.global_reg picked = 11
.global_reg square_chain = 12
.global_reg zero_seen = 13
.range a modp
.range b modp
.entry MOD_MUL start
start:
    mod p
    mul prod, a, b
    add sum, a, b
    sub diff, a, b
    half halved, a
    setb 1
    csel picked, a, b
    setb 0
    csel picked, picked, a
    setc c2, 4
    mov square_chain, a
.again:
    mul square_chain, square_chain, square_chain
    loop c2, .again
    mov zero_seen, a
    sub sum, sum, a
    sub sum, sum, b
    setb Z
    add sum, a, b
    csel zero_seen, a, b
    mod n
.assume a modn ; the test gives a < n
.assume b modn ; the test gives b < n
    mul prod_n, a, b
    done OK, 0
