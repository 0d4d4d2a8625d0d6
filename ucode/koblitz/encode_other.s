; The cofactor is 2 or 4. Curves with elements too short for encode_scalar exist for tests only: they are not blinded.
.macro encode_other
    call refuse
    done BAD_CURVE, 0
.endmacro
