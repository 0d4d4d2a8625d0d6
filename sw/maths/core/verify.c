/* Is a point on a curve, and is the order of a curve right? In software, because the engine believes the order.
   SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

int on_curve(const struct maths_curve *curve, const struct maths_point *point)
{
    mpz_t left, right;
    int good = mpz_sgn(point->x) >= 0 && mpz_sgn(point->y) >= 0 && mpz_cmp(point->x, curve->p) < 0 &&
               mpz_cmp(point->y, curve->p) < 0;
    mpz_inits(left, right, NULL);
    mpz_mul(right, point->x, point->x);
    mpz_add(right, right, curve->a);
    mpz_mul(right, right, point->x);
    mpz_add(right, right, curve->b);
    mpz_mul(left, point->y, point->y);
    good = good && mpz_congruent_p(left, right, curve->p);
    mpz_clears(left, right, NULL);
    return good;
}

/* r = r + q by chord and tangent. */
static void add(const struct maths_curve *curve, struct maths_point *r, const struct maths_point *q)
{
    mpz_t slope, under;
    if (q->infinity)
        return;
    if (r->infinity) {
        mpz_set(r->x, q->x);
        mpz_set(r->y, q->y);
        r->infinity = 0;
        return;
    }
    mpz_inits(slope, under, NULL);
    if (mpz_congruent_p(r->x, q->x, curve->p)) { /* 2 y is 0 modulo p unless both are the same point */
        mpz_mul(slope, r->x, r->x);
        mpz_mul_ui(slope, slope, 3);
        mpz_add(slope, slope, curve->a);
        mpz_add(under, r->y, q->y);
    } else {
        mpz_sub(slope, q->y, r->y);
        mpz_sub(under, q->x, r->x);
    }
    r->infinity = !mpz_invert(under, under, curve->p);
    if (!r->infinity) {
        mpz_mul(slope, slope, under);
        mpz_mod(slope, slope, curve->p);
        mpz_mul(under, slope, slope); /* x of the sum */
        mpz_sub(under, under, r->x);
        mpz_sub(under, under, q->x);
        mpz_mod(under, under, curve->p);
        mpz_sub(r->x, r->x, under);
        mpz_mul(r->x, r->x, slope);
        mpz_sub(r->y, r->x, r->y);
        mpz_mod(r->y, r->y, curve->p);
        mpz_set(r->x, under);
    }
    mpz_clears(slope, under, NULL);
}

/* r = k q for k > 0. */
static void multiple(const struct maths_curve *curve, struct maths_point *r, const mpz_t k, const struct maths_point *q)
{
    struct maths_point twice;
    maths_point_init(&twice);
    r->infinity = 1;
    for (size_t i = mpz_sizeinbase(k, 2); i-- > 0;) {
        mpz_set(twice.x, r->x);
        mpz_set(twice.y, r->y);
        twice.infinity = r->infinity;
        add(curve, r, &twice);
        if (mpz_tstbit(k, i))
            add(curve, r, q);
    }
    maths_point_clear(&twice);
}

int order_is_right(const struct maths_curve *curve, const mpz_t n)
{
    struct maths_point base, part, end;
    mpz_t gap, bound, h;
    int right;
    mpz_inits(gap, bound, h, NULL);
    maths_point_init(&base);
    maths_point_init(&part);
    maths_point_init(&end);
    /* Hasse: the number of points N0 satisfies (N0 - p - 1)^2 <= 4 p. The given order has to, too. */
    mpz_sub(gap, curve->order, curve->p);
    mpz_sub_ui(gap, gap, 1);
    mpz_mul(gap, gap, gap);
    mpz_mul_ui(bound, curve->p, 4);
    right = mpz_cmp(gap, bound) <= 0;
    /* If h G is not infinity and n h G is, then the prime n divides N0; as n is larger than the interval of Hasse, only
       one multiple of n is in it. */
    mpz_mul(gap, n, n);
    mpz_mul_ui(bound, bound, 4);
    right = right && mpz_cmp(gap, bound) > 0;
    mpz_set(base.x, curve->gx);
    mpz_set(base.y, curve->gy);
    right = right && on_curve(curve, &base);
    if (right) {
        mpz_divexact(h, curve->order, n);
        multiple(curve, &part, h, &base);
        right = !part.infinity;
    }
    if (right) {
        multiple(curve, &end, n, &part);
        right = end.infinity;
    }
    maths_point_clear(&base);
    maths_point_clear(&part);
    maths_point_clear(&end);
    mpz_clears(gap, bound, h, NULL);
    return right;
}
