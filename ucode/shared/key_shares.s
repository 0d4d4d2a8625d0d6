; The private key in two shares: (slot KEY) + (slot KEY_MASK) modulo n is the key. KEY_CHECK = KEY + M(KEY_MASK) modulo n shows a
; change of either; like one share alone, it tells nothing about the key when the shares are random. Without the flag BLIND,
; KEY_MASK is 0 and KEY is the key itself. All routines select the modulus n.
;
; split_key: share + mask = k modulo n.
; in    k in [0, n)
; out   share, mask; k is lost
.routine split_key
.in k
.out k share mask
.reg t, check
    mod  1
    mov  share, k
    .assume share modn ; below n, by contract
    isub mask, zero, zero
    .assume mask modn ; 0
    br   !FBLIND, .split
    mov  t, k
    .assume t modn ; copy of k
    call random_scalar
    sub  share, t, k
    mov  mask, k
    sub  t, t, share            ; k, unless an error has changed a share
    isub t, t, mask
    .declassify Z ; only an error makes it differ
    br   !Z, fault
.split:
    isub k, zero, zero
    isub t, zero, zero
    ret

; store_key: the shares become the key.
; in    share, mask
.routine store_key
.in share mask
    mod  1
    .assume share modn ; by contract
    .assume mask modn ; by contract
    mul  t, mask, r2n
    add  t, share, t
    st   KEY, share
    st   KEY_CHECK, t           ; between the shares, see load_key
    st   KEY_MASK, mask
    isub t, zero, zero
    keyv 1
    ret

; load_key: the shares of the key. With the flag BLIND they are others than those of the job before. No share follows the other
; in a port of the register file or in the mover: the number of bits in which they differ depends on the key.
; out   share, mask; k is lost
.routine load_key
.out k share mask
    mod  1
    ld   share, KEY
    ld   check, KEY_CHECK
    ld   mask, KEY_MASK
    .assume share modn ; as store_key left it
    .assume check modn ; as store_key left it
    .assume mask modn ; as store_key left it
    br   !FBLIND, .loaded
    call random_scalar          ; x
    add  share, share, k
    add  check, check, k
    sub  mask, mask, k
    mul  k, k, r2n
    sub  check, check, k        ; KEY + x + M(KEY_MASK - x)
.loaded:
    mul  t, mask, r2n
    add  t, share, t
    isub t, t, check
    .declassify Z ; only an error makes it differ
    br   !Z, fault
    br   !FBLIND, .done
    st   KEY, share
    st   KEY_CHECK, check
    st   KEY_MASK, mask
.done:
    isub k, zero, zero
    isub check, zero, zero
    isub t, zero, zero
    ret
