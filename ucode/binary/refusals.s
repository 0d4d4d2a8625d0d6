; Ends of refused jobs.
.routine coord_range
    call refuse
    done COORD_RANGE, 0
not_on_curve:
    call refuse
    done NOT_ON_CURVE, 0
bad_modulus:
    done BAD_MODULUS, 0
exceptional:
    call refuse
    done EXCEPTIONAL, 0
scalar_range:
    call refuse
    done SCALAR_RANGE, 0
