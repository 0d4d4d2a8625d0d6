/* ellmul, elladd and ellsub on curves over a prime field.
   SPDX-License-Identifier: Apache-2.0

   A curve y^2 = x^3 + a4 x + a6 goes to the engine as it is. Any other form is computed on the short form of PARI, as
   PARI's own routine does it. */
#include "eccel_pari.h"

#include <pari/paripriv.h> /* FF_CARD: where a curve keeps the number of its points once it has been counted */

struct model {
    GEN p;
    GEN change; /* from the short form; NULL if the curve has it */
    struct maths_curve curve;
};

/* 1 if the engine can have the curve: E is a curve over a prime field, and long enough. */
static int is_ours(maths *session, GEN E)
{
    return typ(E) == t_VEC && lg(E) == 17 && ell_get_type(E) == t_ELL_Fp &&
           long_enough(session, ellff_get_p(E));
}

/* 1 for an integer, and for Mod(x, p). */
static int is_coordinate(GEN x, GEN p)
{
    return typ(x) == t_INT || (typ(x) == t_INTMOD && equalii(gel(x, 1), p));
}

/* 1 for [0], and for two coordinates. Whatever else PARI takes for a point, or refuses, is left to PARI. */
static int is_point(GEN E, GEN P)
{
    GEN p = ellff_get_p(E);
    if (typ(P) != t_VEC)
        return 0;
    return lg(P) == 2 ? gequal0(gel(P, 1)) : lg(P) == 3 && is_coordinate(gel(P, 1), p) && is_coordinate(gel(P, 2), p);
}

/* Fills in the model. Everything that PARI allocates happens here, before the numbers of GMP are made. */
static void short_form(struct model *model, GEN E, GEN *a, GEN *b)
{
    GEN p = model->p = ellff_get_p(E);
    if (gequal0(ell_get_a1(E)) && gequal0(ell_get_a2(E)) && gequal0(ell_get_a3(E))) {
        model->change = NULL;
        *a = Rg_to_Fp(ell_get_a4(E), p);
        *b = Rg_to_Fp(ell_get_a6(E), p);
    } else {
        GEN coefficients = ellff_get_a4a6(E);
        *a = gel(coefficients, 1);
        *b = gel(coefficients, 2);
        model->change = gel(coefficients, 3);
    }
}

/* [x, y] or [0] of PARI, as a pair modulo p on the short form, or infinity. */
static GEN on_short_form(const struct model *model, GEN P)
{
    GEN Q = RgE_to_FpE(P, model->p);
    return model->change && !ell_is_inf(Q) ? FpE_changepointinv(Q, model->change, model->p) : Q;
}

static void to_point(struct maths_point *point, GEN P)
{
    maths_point_init(point);
    point->infinity = ell_is_inf(P);
    if (!point->infinity) {
        to_mpz(point->x, gel(P, 1));
        to_mpz(point->y, gel(P, 2));
    }
}

static GEN from_point(const struct model *model, const struct maths_point *point)
{
    if (point->infinity)
        return ellinf();
    GEN Q = mkvec2(from_mpz(point->x), from_mpz(point->y));
    if (model->change)
        Q = FpE_changepoint(Q, model->change, model->p);
    return FpE_to_mod(Q, model->p);
}

/* The point of n P (for n), or of P + Q (for n = NULL); NULL if PARI has to do it. */
static GEN compute(maths *session, GEN E, GEN P, GEN Q, GEN n)
{
    pari_sp before = avma;
    struct model model;
    struct maths_point left, right, sum;
    char why[MATHS_WHY] = "";
    GEN a, b, z = NULL, count = n ? obj_check(E, FF_CARD) : NULL;
    int status;
    mpz_t k;
    short_form(&model, E, &a, &b);
    P = on_short_form(&model, P);
    Q = n ? P : on_short_form(&model, Q);
    ENGINE_BEGIN;
    maths_curve_init(&model.curve);
    mpz_init(k);
    to_mpz(model.curve.p, model.p);
    to_mpz(model.curve.a, a);
    to_mpz(model.curve.b, b);
    if (count)
        to_mpz(model.curve.order, count);
    model.curve.proven = count != NULL;
    to_point(&left, P);
    to_point(&right, Q);
    maths_point_init(&sum);
    if (n) {
        to_mpz(k, n);
        status = maths_point_mul(session, &sum, &model.curve, k, &left, why);
    } else {
        status = maths_point_add(session, &sum, &model.curve, &left, &right, why);
    }
    ENGINE_END;
    if (status == MATHS_DONE)
        z = from_point(&model, &sum);
    mpz_clear(k);
    maths_curve_clear(&model.curve);
    maths_point_clear(&left);
    maths_point_clear(&right);
    maths_point_clear(&sum);
    z = accepted(status, why) ? z : NULL;
    return z ? gerepilecopy(before, z) : gc_NULL(before);
}

GEN eccel_ellmul(GEN E, GEN P, GEN n)
{
    maths *session = pari_session();
    GEN z = NULL;
    if (typ(n) == t_INT && is_ours(session, E) && is_point(E, P))
        z = compute(session, E, P, NULL, n);
    return z ? z : own.ellmul(E, P, n);
}

GEN eccel_elladd(GEN E, GEN P, GEN Q)
{
    maths *session = pari_session();
    GEN z = NULL;
    if (is_ours(session, E) && is_point(E, P) && is_point(E, Q))
        z = compute(session, E, P, Q, NULL);
    return z ? z : own.elladd(E, P, Q);
}

GEN eccel_ellsub(GEN E, GEN P, GEN Q)
{
    maths *session = pari_session();
    GEN z = NULL;
    if (is_ours(session, E) && is_point(E, P) && is_point(E, Q))
        z = compute(session, E, P, ellneg(E, Q), NULL);
    return z ? z : own.ellsub(E, P, Q);
}
