; Signed windows of two scalars in turn: ldd, movx. The digits give the scalars back; count adds up the digits found.
.global_reg one = 4
.global_reg first = 5
.global_reg second = 6
.global_reg count = 7
.global_reg digit = 8
.global_reg zero = 9
.global_block tab, 16, align 16 = 16
.slot K1 = 0
.slot K2 = 1
.entry MOD_EXP start
start:
    isub zero, zero, zero
    mov first, zero
    mov second, zero
    mov count, zero
    setx 0
    setc c0, RBITS-1
.digit:
    iadd first, first, first
    iadd second, second, second
    ldd K1, c0
    br !B, .second
    iadd count, count, one
    movx digit, tab
    setb P
    br B, .first_negative
    iadd first, first, digit
    jmp .second
.first_negative:
    isub first, first, digit
.second:
    ldd K2, c0
    br !B, .next
    iadd count, count, one
    movx digit, tab
    setb !P
    br B, .second_positive
    isub second, second, digit
    jmp .next
.second_positive:
    iadd second, second, digit
.next:
    loop c0, .digit
    done INFINITY, 0
