/* Curves of the paced device, with the checks of CURVE_LOAD. See soft.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "soft.h"

#include "number.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { P = 1, A, B, GX, GY, ORDER_N, ORDER_ALL };

/* Euler's test to the base 3, as the engine makes it. */
static int passes_test(const BIGNUM *m, BN_CTX *context)
{
    BN_CTX_start(context);
    BIGNUM *half = BN_CTX_get(context), *power = BN_CTX_get(context);
    int good = power && BN_is_odd(m) && !BN_is_one(m) && BN_rshift1(half, m) && BN_set_word(power, 3) &&
               BN_mod_exp(power, power, half, m, context) && (BN_is_one(power) || (BN_add_word(power, 1) && !BN_cmp(power, m)));
    BN_CTX_end(context);
    return good;
}

/* N is within the bound of the engine around the size of the field. */
static int near(const BIGNUM *order, const BIGNUM *size, unsigned bits)
{
    BIGNUM *distance = BN_new();
    int good = distance && BN_sub(distance, order, size) && BN_num_bits(distance) <= (int)(bits / 2 + 2);
    BN_free(distance);
    return good;
}

/* Whether a group has these operands of CURVE_LOAD. Groups of two implementations cannot be compared directly. */
static int has_numbers(const EC_GROUP *group, BIGNUM **number, BN_CTX *context)
{
    BN_CTX_start(context);
    BIGNUM *p = BN_CTX_get(context), *a = BN_CTX_get(context), *b = BN_CTX_get(context), *x = BN_CTX_get(context),
           *y = BN_CTX_get(context);
    int same = y && EC_GROUP_get_curve(group, p, a, b, context) && !BN_cmp(p, number[P]) && !BN_cmp(a, number[A]) &&
               !BN_cmp(b, number[B]) && !BN_cmp(EC_GROUP_get0_order(group), number[ORDER_N]) &&
               EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group), x, y, context) &&
               !BN_cmp(x, number[GX]) && !BN_cmp(y, number[GY]);
    BN_CTX_end(context);
    return same;
}

/* The group that OpenSSL has of its own, which may be much quicker than one of parameters. */
static EC_GROUP *known_group(BIGNUM **number, unsigned bits, BN_CTX *context)
{
    size_t count = EC_get_builtin_curves(NULL, 0);
    EC_builtin_curve *curves = calloc(count + 1, sizeof *curves);
    EC_GROUP *found = NULL;
    EC_get_builtin_curves(curves, curves ? count : 0);
    for (size_t i = 0; curves && i < count && !found; i++) {
        EC_GROUP *group = EC_GROUP_new_by_curve_name(curves[i].nid);
        if (group && EC_GROUP_get_degree(group) == (int)bits && has_numbers(group, number, context))
            found = group;
        else
            EC_GROUP_free(group);
    }
    free(curves);
    return found;
}

static int set_generator(EC_GROUP *group, BIGNUM **number, const BIGNUM *h, BN_CTX *context)
{
    EC_POINT *g = EC_POINT_new(group);
    int status = ECCEL_NOT_ON_CURVE;
    if (g && EC_POINT_set_affine_coordinates(group, g, number[GX], number[GY], context))
        status = EC_GROUP_set_generator(group, g, number[ORDER_N], h) ? ECCEL_OK : ECCEL_BAD_MODULUS;
    EC_POINT_free(g);
    return status;
}

/* The checks in the order of the engine, and the group. */
static int make(struct soft_curve *curve, BIGNUM **number, BN_CTX *context)
{
    BN_CTX_start(context);
    BIGNUM *h = BN_CTX_get(context), *rest = BN_CTX_get(context), *size = BN_CTX_get(context);
    int status = ECCEL_BAD_MODULUS;
    EC_GROUP *group = NULL, *known;
    if (!size || !passes_test(number[ORDER_N], context) || (!curve->binary && !passes_test(number[P], context)) ||
        !BN_div(h, rest, number[ORDER_ALL], number[ORDER_N], context) || !BN_is_zero(rest) || BN_is_zero(h) ||
        (!curve->binary && !BN_is_one(h)))
        goto end;
    if (!(curve->binary ? BN_set_bit(size, (int)curve->field_bits) : BN_copy(size, number[P]) != NULL) ||
        !near(number[ORDER_ALL], size, curve->field_bits))
        goto end;
    if (BN_cmp(number[A], size) >= 0 || BN_cmp(number[B], size) >= 0 || BN_cmp(number[GX], size) >= 0 ||
        BN_cmp(number[GY], size) >= 0) {
        status = ECCEL_COORD_RANGE;
        goto end;
    }
    if (BN_is_zero(number[B]))
        goto end;
    group = curve->binary ? EC_GROUP_new_curve_GF2m(number[P], number[A], number[B], context)
                          : EC_GROUP_new_curve_GFp(number[P], number[A], number[B], context);
    if (!group || EC_GROUP_check_discriminant(group, context) != 1)
        goto end;
    status = set_generator(group, number, h, context);
    if (status)
        goto end;
    known = known_group(number, curve->field_bits, context);
    if (known) {
        EC_GROUP_free(group);
        group = known;
    } else if (curve->binary) { /* nobody has found out whether the polynomial is irreducible */
        status = ECCEL_BAD_MODULUS;
        goto end;
    }
    curve->group = group;
    group = NULL;
    curve->p = BN_dup(number[P]);
    curve->n = BN_dup(number[ORDER_N]);
    curve->order = BN_dup(number[ORDER_ALL]);
    curve->h_inverse = BN_new();
    if (!curve->p || !curve->n || !curve->order || !curve->h_inverse ||
        !BN_mod_inverse(curve->h_inverse, h, curve->n, context))
        status = ECCEL_ENGINE_FAULT;
end:
    EC_GROUP_free(group);
    BN_CTX_end(context);
    return status;
}

int soft_open(struct soft_curve *curve, const uint32_t *load, unsigned words)
{
    static atomic_ullong curves;
    BIGNUM *number[8] = {NULL};
    uint8_t bytes[4 * CURVE_MAX_WORDS];
    BN_CTX *context = BN_CTX_new();
    int status = context ? ECCEL_OK : ECCEL_ENGINE_FAULT;
    unsigned kind = load[1] & 0xff;
    *curve = (struct soft_curve){.words = words, .binary = kind == ECCEL_BINARY, .field_bits = load[0] & 0xffff};
    curve->number = ++curves;
    for (unsigned i = 0; i < 8 && !status; i++) {
        number_write(bytes, 4u * words, load + i * words, words);
        if (!(number[i] = BN_bin2bn(bytes, (int)(4 * words), NULL)))
            status = ECCEL_ENGINE_FAULT;
    }
    if (!status && kind == ECCEL_MONTGOMERY)
        status = ECCEL_BAD_MODULUS;
    if (!status && curve->binary && !BN_set_bit(number[P], (int)curve->field_bits))
        status = ECCEL_ENGINE_FAULT;
    if (!status)
        status = make(curve, number, context);
    for (unsigned i = 0; i < 8; i++)
        BN_free(number[i]);
    BN_CTX_free(context);
    if (status)
        soft_close(curve);
    return status;
}

void soft_close(struct soft_curve *curve)
{
    EC_GROUP_free(curve->group);
    BN_free(curve->p);
    BN_free(curve->n);
    BN_free(curve->order);
    BN_free(curve->h_inverse);
    curve->group = NULL;
    curve->p = curve->n = curve->order = curve->h_inverse = NULL;
}
