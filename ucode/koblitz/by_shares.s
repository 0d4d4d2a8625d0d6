; This program multiplies by the key, not by its shares.
.macro ecdh_by_shares
.endmacro
.macro keygen_by_shares
.endmacro
