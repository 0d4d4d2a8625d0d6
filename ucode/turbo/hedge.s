; Binds the nonce that is drawn next to the key and the hash, in an engine that passes its draws through eccel_hedge: rnd
; gives the sponge the words of the slot that it replaces. The words of these draws are not used.
; in    k the key, or with BLIND the key less a number that does not depend on it
.macro hedge_nonce
    st   DRAW, k
    rnd  DRAW
    ld   k, 0
    st   DRAW, k
    rnd  DRAW
.endmacro
