; k = h k, modulus n selected. 4 is the only even h of three bits that begin with 10; any other is taken by its bits.
.slot FACTOR = 3
.slot FACTOR_END = 4
.routine times_cofactor
.in k
.out k
.reg d
    st   FACTOR, cofactor_bits
    st   FACTOR_END, cofactor_end
    setc c0, NBITS-3
    ldb  FACTOR_END, c0
    br   !B, .any_factor
    setc c0, NBITS-2
    ldb  FACTOR, c0
    br   B, .any_factor
    iadd k, k, k
    iadd k, k, k
    ret
.any_factor:
    mov  d, k
    setc c0, NBITS-1
    jmp  .factor_bit
.factor:
    iadd k, k, k
    ldb  FACTOR, c0
    cadd k, k, d
.factor_bit:
    ldb  FACTOR_END, c0
    br   B, .multiplied
    loop c0, .factor
.multiplied:
    isub d, d, d
    ret
