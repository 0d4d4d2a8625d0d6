; Binds the nonce that is drawn next to the key and the hash, in an engine that passes its draws through eccel_hedge: rnd
; gives the sponge the words of the slot that it replaces. The words of these draws are not used. K1 and K2 hold the key.
.macro absorb slot
    ld   k, slot
    .secret k
    st   DRAW, k
    rnd  DRAW
.endmacro
.macro hedge_nonce
    absorb K1
    absorb K2
    absorb 0
.endmacro
