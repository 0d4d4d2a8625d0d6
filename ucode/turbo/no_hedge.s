; An engine that uses the words of the entropy port as they come: the nonce does not depend on the key and the hash.
.macro hedge_nonce
.endmacro
