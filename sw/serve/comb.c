/* Many multiples k G at once. See comb.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "comb.h"

#include <stdlib.h>

enum { DIGITS = 255, MOST_TERMS = 8, MOST_ROWS = 72 };

struct affine {
    BIGNUM *x, *y;
};

/* Elements of GF(p) are in Montgomery form. */
struct comb {
    int binary, terms[MOST_TERMS];
    BN_MONT_CTX *montgomery;
    BIGNUM *p, *a;
    unsigned rows;
    struct affine *table; /* rows * DIGITS */
};

static int multiply(const struct comb *comb, BIGNUM *out, const BIGNUM *a, const BIGNUM *b, BN_CTX *context)
{
    return comb->binary ? BN_GF2m_mod_mul_arr(out, a, b, comb->terms, context)
                        : BN_mod_mul_montgomery(out, a, b, comb->montgomery, context);
}

static int square(const struct comb *comb, BIGNUM *out, const BIGNUM *a, BN_CTX *context)
{
    return comb->binary ? BN_GF2m_mod_sqr_arr(out, a, comb->terms, context) : multiply(comb, out, a, a, context);
}

static int subtract(const struct comb *comb, BIGNUM *out, const BIGNUM *a, const BIGNUM *b)
{
    return comb->binary ? BN_GF2m_add(out, a, b) : BN_mod_sub_quick(out, a, b, comb->p);
}

static int invert(const struct comb *comb, BIGNUM *out, const BIGNUM *a, BN_CTX *context)
{
    if (BN_is_zero(a))
        return 0;
    if (comb->binary)
        return BN_GF2m_mod_inv_arr(out, a, comb->terms, context);
    /* The inverse of a R is a^-1 R^-1: two conversions make it a^-1 R. */
    return BN_mod_inverse(out, a, comb->p, context) && BN_to_montgomery(out, out, comb->montgomery, context) &&
           BN_to_montgomery(out, out, comb->montgomery, context);
}

/* sum += other, with l = (y' - y) / (x' - x). GF(p): x'' = l^2 - x - x'. GF(2^m): l^2 + l + x + x' + a.
   y'' = l (x - x'') - y, and x'' more over GF(2^m). */
static int add_one(const struct comb *comb, struct affine *sum, const struct affine *other, const BIGNUM *inverse,
                   BIGNUM **t, BN_CTX *context)
{
    int good = subtract(comb, t[0], other->y, sum->y) && multiply(comb, t[0], t[0], inverse, context) &&
               square(comb, t[1], t[0], context) && subtract(comb, t[1], t[1], sum->x) &&
               subtract(comb, t[1], t[1], other->x);
    if (good && comb->binary)
        good = BN_GF2m_add(t[1], t[1], t[0]) && BN_GF2m_add(t[1], t[1], comb->a);
    good = good && subtract(comb, t[2], sum->x, t[1]) && multiply(comb, t[2], t[2], t[0], context) &&
           subtract(comb, t[2], t[2], sum->y) && (!comb->binary || BN_GF2m_add(t[2], t[2], t[1]));
    return good && BN_copy(sum->x, t[1]) && BN_copy(sum->y, t[2]);
}

/* sum[i] += other[i] for all i, none of which has equal x. One inversion for all. */
static int add_all(const struct comb *comb, struct affine **sum, const struct affine **other, unsigned count,
                   BN_CTX *context)
{
    BIGNUM *difference[MOST_ROWS], *product[MOST_ROWS], *t[3], *inverse, *each;
    int good = count > 0;
    BN_CTX_start(context);
    for (unsigned i = 0; i < count; i++) {
        difference[i] = BN_CTX_get(context);
        product[i] = BN_CTX_get(context);
    }
    for (unsigned i = 0; i < 3; i++)
        t[i] = BN_CTX_get(context);
    inverse = BN_CTX_get(context);
    each = BN_CTX_get(context);
    for (unsigned i = 0; good && each && i < count; i++) {
        good = subtract(comb, difference[i], other[i]->x, sum[i]->x);
        good = good && (i ? multiply(comb, product[i], product[i - 1], difference[i], context)
                          : BN_copy(product[0], difference[0]) != NULL);
    }
    good = good && each && invert(comb, inverse, product[count - 1], context);
    for (unsigned i = count; good && i-- > 0;) {
        good = i ? multiply(comb, each, inverse, product[i - 1], context) &&
                       multiply(comb, inverse, inverse, difference[i], context)
                 : BN_copy(each, inverse) != NULL;
        good = good && add_one(comb, sum[i], other[i], each, t, context);
    }
    BN_CTX_end(context);
    return good;
}

static int get(const struct comb *comb, struct affine *out, const EC_GROUP *group, const EC_POINT *point,
               BN_CTX *context)
{
    int good = EC_POINT_get_affine_coordinates(group, point, out->x, out->y, context);
    return good && (comb->binary || (BN_to_montgomery(out->x, out->x, comb->montgomery, context) &&
                                     BN_to_montgomery(out->y, out->y, comb->montgomery, context)));
}

/* The rows side by side: d + 1 of each is d more 1. The first two come from OpenSSL. */
static int fill(struct comb *comb, const EC_GROUP *group, BN_CTX *context)
{
    struct affine *sum[MOST_ROWS];
    const struct affine *step[MOST_ROWS];
    EC_POINT *base = EC_POINT_dup(EC_GROUP_get0_generator(group), group);
    int good = base != NULL;
    for (unsigned row = 0; good && row < comb->rows; row++) {
        struct affine *first = &comb->table[row * DIGITS];
        good = get(comb, &first[0], group, base, context) && EC_POINT_dbl(group, base, base, context) &&
               get(comb, &first[1], group, base, context);
        for (int i = 0; good && i < 7; i++)
            good = EC_POINT_dbl(group, base, base, context);
    }
    for (unsigned digit = 2; good && digit < DIGITS; digit++) {
        for (unsigned row = 0; good && row < comb->rows; row++) {
            struct affine *place = &comb->table[row * DIGITS];
            good = BN_copy(place[digit].x, place[digit - 1].x) && BN_copy(place[digit].y, place[digit - 1].y);
            sum[row] = &place[digit];
            step[row] = &place[0];
        }
        good = good && add_all(comb, sum, step, comb->rows, context);
    }
    EC_POINT_free(base);
    return good;
}

struct comb *comb_new(const EC_GROUP *group, const BIGNUM *p, int binary, unsigned bits, BN_CTX *context)
{
    struct comb *comb = calloc(1, sizeof *comb);
    if (!comb)
        return NULL;
    comb->binary = binary;
    comb->rows = (bits + 7) / 8;
    comb->p = BN_dup(p);
    comb->a = BN_new();
    comb->table = calloc((size_t)comb->rows * DIGITS, sizeof *comb->table);
    int good = comb->p && comb->a && comb->table && comb->rows <= MOST_ROWS &&
               EC_GROUP_get_curve(group, NULL, comb->a, NULL, context);
    if (good && binary) {
        int terms = BN_GF2m_poly2arr(p, comb->terms, MOST_TERMS);
        good = terms > 0 && terms <= MOST_TERMS;
    } else if (good) {
        good = (comb->montgomery = BN_MONT_CTX_new()) && BN_MONT_CTX_set(comb->montgomery, p, context);
    }
    for (size_t i = 0; good && i < (size_t)comb->rows * DIGITS; i++)
        good = (comb->table[i].x = BN_new()) && (comb->table[i].y = BN_new());
    if (!good || !fill(comb, group, context)) {
        comb_free(comb);
        return NULL;
    }
    return comb;
}

void comb_free(struct comb *comb)
{
    if (!comb)
        return;
    for (size_t i = 0; comb->table && i < (size_t)comb->rows * DIGITS; i++) {
        BN_free(comb->table[i].x);
        BN_free(comb->table[i].y);
    }
    free(comb->table);
    BN_MONT_CTX_free(comb->montgomery);
    BN_free(comb->p);
    BN_free(comb->a);
    free(comb);
}

static unsigned digit_of(const BIGNUM *k, unsigned row)
{
    unsigned digit = 0;
    for (int bit = 7; bit >= 0; bit--)
        digit = digit << 1 | (unsigned)BN_is_bit_set(k, (int)(8 * row) + bit);
    return digit;
}

int comb_multiply(const struct comb *comb, BIGNUM *const *k, BIGNUM **x, unsigned count, BN_CTX *context)
{
    struct affine sum[COMB_BATCH], *some[COMB_BATCH];
    const struct affine *other[COMB_BATCH];
    int started[COMB_BATCH] = {0}, good = count <= COMB_BATCH;
    BN_CTX_start(context);
    for (unsigned i = 0; good && i < count; i++)
        good = (sum[i].x = BN_CTX_get(context)) && (sum[i].y = BN_CTX_get(context));
    for (unsigned row = 0; good && row < comb->rows; row++) {
        unsigned adding = 0;
        for (unsigned i = 0; good && i < count; i++) {
            unsigned digit = digit_of(k[i], row);
            const struct affine *entry = &comb->table[row * DIGITS + digit - (digit > 0)];
            if (digit && started[i]) {
                some[adding] = &sum[i];
                other[adding++] = entry;
            } else if (digit) {
                started[i] = 1;
                good = BN_copy(sum[i].x, entry->x) && BN_copy(sum[i].y, entry->y);
            }
        }
        good = good && (!adding || add_all(comb, some, other, adding, context));
    }
    for (unsigned i = 0; good && i < count; i++)
        good = started[i] && (comb->binary ? BN_copy(x[i], sum[i].x) != NULL
                                           : BN_from_montgomery(x[i], sum[i].x, comb->montgomery, context));
    BN_CTX_end(context);
    return good;
}
