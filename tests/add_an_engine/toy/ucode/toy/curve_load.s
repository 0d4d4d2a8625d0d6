; CURVE_LOAD: par, p, a, b, gx, gy, n, N. Keeps p and n, which must be odd, larger than 1 and at most 32 bits long.
.entry CURVE_LOAD job_curve_load
.routine job_curve_load
.reg t, zero
    par                         ; no curve is loaded until the end
    chk  8
    setc c0, 0
    ldb  1, c0
    br   !B, bad_modulus        ; p even
    ldb  6, c0
    br   !B, bad_modulus        ; n even
    ld   p, 1
    ld   n, 6
    isub zero, p, p
    isub t, p, zero             ; the lowest word of p
    isub t, t, p
    br   C, bad_modulus         ; p has more than 32 bits
    isub t, n, zero
    isub t, t, n
    br   C, bad_modulus         ; n has more than 32 bits
    put1 8
    ld   px, 8
    isub t, px, p
    br   !C, bad_modulus        ; p = 1
    isub t, px, n
    br   !C, bad_modulus        ; n = 1
    loaded 1
    done OK, 0
bad_modulus:
    done BAD_MODULUS, 0
