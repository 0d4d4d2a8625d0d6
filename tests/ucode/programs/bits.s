; Scalar bits and window digits: ldb, ldbx, ldbn, ldx, mulx, movx, setx; counters from the parameter word.
.global_reg ones = 4
.global_reg plain = 5
.global_reg gray = 6
.global_reg inverted = 7
.global_reg digits = 8
.global_reg picked = 9
.global_reg zero = 10
.global_reg parity = 11
.global_block tab, 16, align 16 = 16
.slot PAR = 0
.slot K = 1
.public tab, tab+1
.entry MOD_EXP start
start:
    par
    isub zero, zero, zero
    mov plain, zero
    mov gray, zero
    mov inverted, zero
    mov digits, zero
    setp 0
    setc c0, PBITS-1
.bit:
    ldb K, c0
    call push_plain
    ldbx K, c0
    call push_gray
    ldbn K, c0
    call push_inverted
    loop c0, .bit
    setb P
    csel parity, zero, ones
    setb !P
    setc c1, NBITS-4
.digit:
    iadd digits, digits, digits
    iadd digits, digits, digits
    iadd digits, digits, digits
    iadd digits, digits, digits
    ldx K, c1
    br XZ, .skip
    movx picked, tab
    iadd digits, digits, picked
.skip:
    loop c1, .more
    jmp .out
.more:
    loop c1, .more2
.more2:
    loop c1, .more3
.more3:
    loop c1, .digit
.out:
    setx 3
    movx picked, tab
    done INFINITY, 0

.routine push_plain
.out plain
    iadd plain, plain, plain
    cadd plain, plain, ones
    ret

.routine push_gray
.out gray
    iadd gray, gray, gray
    cadd gray, gray, ones
    ret

.routine push_inverted
.out inverted
    iadd inverted, inverted, inverted
    cadd inverted, inverted, ones
    ret
