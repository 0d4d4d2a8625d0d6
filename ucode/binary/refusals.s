; Ends of refused jobs. Slot SCALAR and the bits of `steps` may hold a secret; at scalar_range k may hold one, too.
.routine coord_range
    forget_scalar
    done COORD_RANGE, 0
not_on_curve:
    forget_scalar
    done NOT_ON_CURVE, 0
bad_modulus:
    done BAD_MODULUS, 0
scalar_range:
    mod  1
    isub k, k, k
    forget_scalar
    done SCALAR_RANGE, 0
