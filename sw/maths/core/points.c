/* Multiples and sums of points. See maths.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

/* A copy with numbers modulo p, and the order as it is. */
static void reduced(struct maths_curve *to, const struct maths_curve *from)
{
    maths_curve_init(to);
    mpz_set(to->p, from->p);
    mpz_set(to->order, from->order);
    to->proven = from->proven;
    if (mpz_sgn(from->p) > 0) {
        mpz_mod(to->a, from->a, from->p);
        mpz_mod(to->b, from->b, from->p);
        mpz_mod(to->gx, from->gx, from->p);
        mpz_mod(to->gy, from->gy, from->p);
    }
}

/* A copy modulo p; infinity is (0, 0) as in job packets. */
static void reduced_point(struct maths_point *to, const struct maths_point *from, const mpz_t p)
{
    maths_point_init(to);
    to->infinity = from->infinity;
    if (!from->infinity) {
        mpz_mod(to->x, from->x, p);
        mpz_mod(to->y, from->y, p);
    }
}

/* Runs a job whose result is a point, and looks whether that is on the curve. */
static int run(maths *session, enum maths_kind kind, struct work *work, const struct maths_curve *curve,
               struct maths_point *r, char why[MATHS_WHY])
{
    struct eccel_result result = {0};
    struct maths_point found;
    int status = work_run(session, work, &result, why);
    if (status != MATHS_DONE)
        return counted(session, kind, status, 0, 0, why);
    maths_point_init(&found);
    found.infinity = result.result == ECCEL_INFINITY;
    if (!found.infinity) {
        value_of(found.x, &result, 0);
        value_of(found.y, &result, 1);
        if (!on_curve(curve, &found))
            status = because(why, "the result of the device is not on the curve", MATHS_FAILED);
    }
    if (status == MATHS_DONE) {
        mpz_set(r->x, found.x);
        mpz_set(r->y, found.y);
        r->infinity = found.infinity;
    }
    maths_point_clear(&found);
    return counted(session, kind, status, 1, result.cycles, why);
}

int maths_point_mul(maths *session, struct maths_point *r, const struct maths_curve *curve, const mpz_t k,
                    const struct maths_point *point, char why[MATHS_WHY])
{
    struct maths_curve chosen;
    struct maths_point p;
    int status = MATHS_DECLINED;
    mpz_t scalar;
    reduced(&chosen, curve);
    if (mpz_sgn(chosen.p) <= 0) {
        maths_curve_clear(&chosen);
        return counted(session, MATHS_POINT_MUL, because(why, "p is not positive", status), 0, 0, why);
    }
    reduced_point(&p, point, chosen.p);
    struct loaded *entry = NULL;
    if (!p.infinity && !on_curve(&chosen, &p))
        (void)because(why, "the point is not on the curve", 0);
    else
        entry = loaded_curve(session, &chosen, 1, &p, why);
    mpz_init(scalar);
    if (entry) {
        mpz_mod(scalar, k, entry->order);
        struct work work = {.entry = entry, .op = ECCEL_OP_MUL, .operands = 3, .operand = {scalar, p.x, p.y}};
        if (!entry->own && !p.infinity && !mpz_cmp(p.x, entry->gx) && !mpz_cmp(p.y, entry->gy)) {
            work.op = ECCEL_OP_BASE_MUL;
            work.operands = 1;
        }
        status = run(session, MATHS_POINT_MUL, &work, &chosen, r, why);
    } else {
        (void)counted(session, MATHS_POINT_MUL, status, 0, 0, why);
    }
    mpz_clear(scalar);
    maths_point_clear(&p);
    maths_curve_clear(&chosen);
    return status;
}

int maths_point_add(maths *session, struct maths_point *r, const struct maths_curve *curve,
                    const struct maths_point *left, const struct maths_point *right, char why[MATHS_WHY])
{
    struct maths_curve chosen;
    struct maths_point p, q;
    struct loaded *entry = NULL;
    int status = MATHS_DECLINED;
    reduced(&chosen, curve);
    if (mpz_sgn(chosen.p) <= 0) {
        maths_curve_clear(&chosen);
        return counted(session, MATHS_POINT_ADD, because(why, "p is not positive", status), 0, 0, why);
    }
    reduced_point(&p, left, chosen.p);
    reduced_point(&q, right, chosen.p);
    if ((!p.infinity && !on_curve(&chosen, &p)) || (!q.infinity && !on_curve(&chosen, &q)))
        (void)because(why, "a point is not on the curve", 0);
    else
        entry = loaded_curve(session, &chosen, 0, p.infinity ? &q : &p, why);
    if (entry) {
        struct work work = {
            .entry = entry, .op = ECCEL_OP_POINT_ADD, .operands = 4, .operand = {p.x, p.y, q.x, q.y}};
        status = run(session, MATHS_POINT_ADD, &work, &chosen, r, why);
    } else {
        (void)counted(session, MATHS_POINT_ADD, status, 0, 0, why);
    }
    maths_point_clear(&p);
    maths_point_clear(&q);
    maths_curve_clear(&chosen);
    return status;
}
