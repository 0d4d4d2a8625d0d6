/* Operators on integers and on Mod(a, p).
   SPDX-License-Identifier: Apache-2.0 */
#include "eccel_pari.h"

typedef int binary(maths *, mpz_t, const mpz_t, const mpz_t, const mpz_t, char *);

/* Mod(r, m) with the modulus object of x. */
static GEN intmod(GEN x, const mpz_t r)
{
    GEN z = cgetg(3, t_INTMOD);
    gel(z, 1) = icopy(gel(x, 1));
    gel(z, 2) = from_mpz(r);
    return z;
}

/* One operation modulo m on integers; NULL if PARI has to do it. */
static GEN modular(maths *session, binary *run, GEN x, GEN a, GEN b)
{
    char why[MATHS_WHY] = "";
    mpz_t r, left, right, m;
    GEN z = NULL;
    int status;
    ENGINE_BEGIN;
    mpz_inits(r, left, right, m, NULL);
    to_mpz(left, a);
    to_mpz(right, b);
    to_mpz(m, gel(x, 1));
    status = run(session, r, left, right, m, why);
    ENGINE_END;
    if (status == MATHS_DONE)
        z = intmod(x, r);
    mpz_clears(r, left, right, m, NULL);
    return accepted(status, why) ? z : NULL;
}

/* x op y if one of them is Mod(a, m), and the other one an integer or modulo the same m; otherwise NULL. */
static GEN of_two(binary *run, GEN x, GEN y)
{
    long tx = typ(x), ty = typ(y);
    maths *session;
    GEN mod = tx == t_INTMOD ? x : y;
    if (typ(mod) != t_INTMOD || (tx != t_INTMOD && tx != t_INT) || (ty != t_INTMOD && ty != t_INT))
        return NULL;
    if (tx == ty && !equalii(gel(x, 1), gel(y, 1)))
        return NULL;
    session = pari_session();
    if (!long_enough(session, gel(mod, 1)))
        return NULL;
    return modular(session, run, mod, tx == t_INT ? x : gel(x, 2), ty == t_INT ? y : gel(y, 2));
}

/* x y for integers; NULL if PARI has to do it. */
static GEN product(GEN x, GEN y)
{
    maths *session = pari_session();
    char why[MATHS_WHY] = "";
    mpz_t r, left, right;
    GEN z = NULL;
    int status;
    if (!long_enough(session, x) || !long_enough(session, y))
        return NULL;
    ENGINE_BEGIN;
    mpz_inits(r, left, right, NULL);
    to_mpz(left, x);
    to_mpz(right, y);
    status = maths_product(session, r, left, right, why);
    ENGINE_END;
    if (status == MATHS_DONE)
        z = from_mpz(r);
    mpz_clears(r, left, right, NULL);
    return accepted(status, why) ? z : NULL;
}

static int divide(maths *session, mpz_t r, const mpz_t a, const mpz_t b, const mpz_t m, char *why)
{
    int status = maths_mod_inv(session, r, b, m, why);
    return status == MATHS_DONE ? maths_mod_mul(session, r, a, r, m, why) : status;
}

GEN eccel_mul(GEN x, GEN y)
{
    GEN z = typ(x) == t_INT && typ(y) == t_INT ? product(x, y) : of_two(maths_mod_mul, x, y);
    return z ? z : own.mul(x, y);
}

GEN eccel_add(GEN x, GEN y)
{
    GEN z = of_two(maths_mod_add, x, y);
    return z ? z : own.add(x, y);
}

GEN eccel_sub(GEN x, GEN y)
{
    GEN z = of_two(maths_mod_sub, x, y);
    return z ? z : own.sub(x, y);
}

GEN eccel_div(GEN x, GEN y)
{
    GEN z = of_two(divide, x, y);
    return z ? z : own.div(x, y);
}

GEN eccel_sqr(GEN x)
{
    GEN z = typ(x) == t_INT ? product(x, x) : typ(x) == t_INTMOD ? of_two(maths_mod_mul, x, x) : NULL;
    return z ? z : own.sqr(x);
}

/* Mod(a, m)^n; NULL if PARI has to do it. */
static GEN power(GEN x, GEN n)
{
    maths *session;
    if (typ(x) != t_INTMOD || typ(n) != t_INT)
        return NULL;
    session = pari_session();
    if (!long_enough(session, gel(x, 1)))
        return NULL;
    if (equalis(n, 2))
        return of_two(maths_mod_mul, x, x);
    if (equalis(n, -1))
        return of_two(divide, gen_1, x);
    return modular(session, maths_mod_exp, x, gel(x, 2), n);
}

GEN eccel_pow(GEN x, GEN n, long precision)
{
    GEN z = power(x, n);
    return z ? z : own.pow(x, n, precision);
}

GEN eccel_pows(GEN x, long n)
{
    GEN z = typ(x) == t_INT && n == 2 ? product(x, x) : typ(x) == t_INTMOD ? power(x, stoi(n)) : NULL;
    return z ? z : own.pows(x, n);
}
