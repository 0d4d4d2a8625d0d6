; Montgomery products modulo n as routines, where their time does not count. 0 <= k < n if k sx < n R.
;   mont_r2n   k = px R mod n
;   times_r2n  k = k R mod n
;   mont       k = k sx / R mod n
;   times_one  k = k / R mod n
; in    px, k or k and sx
; out   k, sx
.routine mont_r2n
.out k sx
.reg mm
    mov  k, px
times_r2n:
    mov  sx, r2n
mont:
    mont_n k, k, sx
    ret
times_one:
    mov  sx, one
    jmp  mont
