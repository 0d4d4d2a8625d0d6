; Binds the nonce that is drawn next to the key and the hash, in an engine that passes its draws through eccel_hedge: rnd
; gives the sponge the words of the slot that it replaces. The words of these two draws are not used.
; in    registers with the key and the hash
.macro hedge key, hash
    st   DRAW, key
    rnd  DRAW
    st   DRAW, hash
    rnd  DRAW
.endmacro
