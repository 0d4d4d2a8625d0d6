; base^exponent with windows of up to three bits that begin and end with a one, from the most significant bit. The exponent
; is public: n - 2, or an operand of MOD_EXP. modexp_resume continues an exponentiation that returned early because the
; unit for GF(2^m) was free. After the end it does nothing.
;
; in    base = M(x), slot EXPONENT, modulus n selected; c0 > 1 = highest bit of the exponent to read;
;       c1 = c0 - 2; c2 = how often the routine may return before the end, as soon as the unit for GF(2^m) is free
; out   If P: base = M(x^exponent), and base = 0 for x = 0, exponent > 0. Otherwise x^exponent is not complete: the caller
;       must call modexp_resume later and until then keep power, base, the powers, c0 to c2, P and slot EXPONENT.
; cost  4 M + bits S + (bits / 4) M for random bits
.routine modexp
.in base
.out base power power2 power3 power5 power7
    setp 0
    mul  power2, base, base
    mul  power3, power2, base
    mul  power5, power3, power2
    mul  power7, power5, power2
.leading:
    ldb  EXPONENT, c0
    br   B, .top
    loop c0, .zero
.zero:
    loop c1, .leading
    mov  power, one_n
    jmp  modexp_last
.top:
    mov  power, base
    loop c0, .top1
.top1:
    loop c1, modexp_bit
    jmp  modexp_last

; c0 = number of the next bit, c1 = c0 - 2
modexp_resume:
    setb P
    br   B, modexp_leave
modexp_bit:
    br   !FREE, .goes_on
    loop c2, modexp_leave
.goes_on:
    mul  power, power, power
    ldb  EXPONENT, c0
    br   B, .one
    loop c0, .next
.next:
    loop c1, modexp_bit
    jmp  modexp_last
.one:
    loop c0, .second
.second:
    ldb  EXPONENT, c0
    br   B, .one_one
    loop c0, .third
.third:
    ldb  EXPONENT, c0
    br   B, .five
    mul  power, power, base
    mul  power, power, power
    jmp  .zeros
.five:
    mul  power, power, power
    mul  power, power, power
    mul  power, power, power5
    jmp  .window
.one_one:
    loop c0, .third_one
.third_one:
    mul  power, power, power
    ldb  EXPONENT, c0
    br   B, .seven
    mul  power, power, power3
.zeros:
    mul  power, power, power
    jmp  .window
.seven:
    mul  power, power, power
    mul  power, power, power7
.window:
    loop c0, .window1
    jmp  modexp_ready
.window1:
    loop c1, .window2
    jmp  modexp_last
.window2:
    loop c1, .window3
    jmp  modexp_last
.window3:
    loop c1, modexp_bit

; The remaining bits are fewer than a window has.
modexp_last:
    mul  power, power, power
    ldb  EXPONENT, c0
    br   !B, .square
    mul  power, power, base
.square:
    loop c0, modexp_last
modexp_ready:
    mov  base, power
    setp 1
modexp_leave:
    ret
