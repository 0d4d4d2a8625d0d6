; Ends a job with flag BLIND: a program in variable time has nothing to hide.
.routine refuse_blinding
    done BAD_OP, 0
