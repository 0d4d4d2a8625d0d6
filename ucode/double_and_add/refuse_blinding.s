; Ends a job with the flag BLIND: a variable-time program takes no secrets.
.routine refuse_blinding
    done BAD_OP, 0
