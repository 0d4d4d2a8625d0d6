; Secret scalars in two shares modulo n. With BLIND they are random; the engine computes with each of them alone.
; Adds a random number to px and subtracts it from py, modulo n. k is that number.
.routine reshare
.out px py k
.reg t, v, lo, mm
    call random_scalar
    add_n_select px, px, k
    sub_n_select py, py, k
    ret
; in    k below n
; out   with BLIND k = K1 + K2 modulo n for the input k, (px, py) from PX and PY, and k = K1; otherwise K1 = k
.routine split
.in k
.out px py k
    br   FBLIND, .two
    st   K1, k
    ret
.two:
    mov  px, k
    mov  py, zero
share_scalar:
    call reshare
    st   K2, py
    ld   py, PY                 ; between the shares, see load_key
    st   K1, px
    mov  k, px
    ld   px, PX
    ret
; New shares of the scalar of `multiple`.
.routine split_again
.out px py k
    br   !FBLIND, .end
    ld   px, K1
    mov  k, zero                ; see load_key
    ld   py, K2
    jmp  share_scalar
.end:
    ret
; Fails with FAULT if the scalar of `multiple` is not k.
.routine check_scalar
.in k
    ld   t, K1
    br   !FBLIND, .sum
    ld   v, K2
    add_n_select t, t, v
.sum:
    isub t, t, k
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    ret
; k = px + R py modulo n
.routine sum_of_shares
.in px py
.out k sx
    mov  k, py
    call times_r2n
    add_n k, k, px
    ret
; Stores the key k, with BLIND in random shares, and copies it to K1 and K2 like split. In the end k is K1.
.routine store_key
.in k
.out px py k sx
    mov  px, k
    mov  py, zero
    br   !FBLIND, .store
    call reshare
.store:
    st   KEY_MASK, py
    st   K2, py
    call sum_of_shares
    st   KEY_CHECK, k
    st   KEY, px
    st   K1, px
    mov  k, px
    ret
; With BLIND gives the key new shares, copies it to K1 and K2 like split, and checks what is there; k = K1. The shares never follow
; each other in a register, in the read registers of the file or in the mover: the number of bits in which they differ depends on
; the key.
.routine load_key
.out px py k sx base
    ld   px, KEY
    ld   base, KEY_CHECK
    ld   py, KEY_MASK
    br   !FBLIND, .check
    call reshare
    add_n base, base, k
    st   KEY, px
    st   K1, px
    call times_r2n
    isub base, base, k
    caddc base, base, n
    st   KEY_MASK, py
    st   K2, py
    st   KEY_CHECK, base        ; + x - R x
    ld   px, K1
    ld   base, KEY_CHECK
    ld   py, K2
.check:
    call check_shares
    mov  k, px
    br   FBLIND, .end
    add_n_select k, px, py
    st   K1, k
.end:
    ret
; Fails with FAULT if the key in its slots does not fit its check word.
.routine check_key
.out px py k sx base
    ld   px, KEY
    ld   base, KEY_CHECK
    ld   py, KEY_MASK
check_shares:                   ; the same for the shares px and py, and base
    call sum_of_shares
    isub k, k, base
    .declassify Z ; only a fault gets here
    fail !Z, FAULT
    ret
