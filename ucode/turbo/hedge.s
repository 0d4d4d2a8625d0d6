; Binds the nonce that is drawn next to the key and the hash, in an engine that passes its draws through eccel_hedge: rnd
; gives the sponge the words of the slot that it replaces. The words of these draws are not used. K1 and K2 hold the key.
.macro hedge_nonce
    ld   k, K1
    call absorb
    ld   k, K2
    call absorb
    ld   k, 0
    call absorb
.endmacro
.routine absorb
.in k
    st   DRAW, k
    rnd  DRAW
    ret
