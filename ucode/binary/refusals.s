; Ends of jobs that are refused. Slot SCALAR may hold a secret, and so may k at scalar_range, which has modulus 1 selected.
.routine coord_range
    wipe SCALAR
    done COORD_RANGE, 0
not_on_curve:
    wipe SCALAR
    done NOT_ON_CURVE, 0
bad_modulus:
    done BAD_MODULUS, 0
scalar_range:
    isub k, k, k
    wipe SCALAR
    done SCALAR_RANGE, 0
