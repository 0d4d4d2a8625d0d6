; Integer operations: carries and borrows into flags, conditional addition, the long length.
.global_reg x = 4
.global_reg y = 5
.global_reg ones = 6
.global_reg carried = 7
.global_reg borrowed = 8
.global_reg both = 9
.global_reg long_sum = 10
.global_reg long_twice = 11
.global_reg copied = 12
.global_reg kept = 13
.global_reg flags_kept = 14
.global_reg difference = 15
.slot OUT = 0
.slot LONG = 9
.range x long
.range y long
.range ones long
.entry MOD_ADD start
start:
    iadd carried, ones, x
    setb C
    cadd borrowed, y, x
    setb !C
    isub both, x, y
    setb B|C
    setb B&C
    setb !B
    cadd both, both, y
    setb !B
    cadd both, both, y
    isub kept, x, x
    setb Z
    cadd kept, x, y
    setb B&Z
    csel flags_kept, x, y
    iaddl long_sum, ones, ones
    setb 1
    caddl long_twice, long_sum, long_sum
    setb 0
    caddl long_sum, long_sum, long_twice
    movl copied, long_twice
    isubl difference, copied, long_sum
    iaddl copied, difference, long_sum
    st LONG, copied
.declassify x ; test data
    st OUT, x
    done OK, 1
