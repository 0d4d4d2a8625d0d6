/* Jobs on curves, computed by OpenSSL. See soft.h for the contract.
   SPDX-License-Identifier: Apache-2.0

   The order of checks is that of the programs of the engine (eccelerate/model/programs.py says the same in Python). */
#include "soft.h"

#include <string.h>

/* A job being computed. Values live in the context. */
struct work {
    const struct soft_curve *curve;
    BN_CTX *context;
    BIGNUM *in[ECCEL_MAX_OPERANDS], *out[ECCEL_MAX_RESULTS];
    unsigned flags, values;
};

int soft_draw(const struct soft_curve *curve, BIGNUM *out)
{
    do
        if (!BN_priv_rand_range(out, curve->n))
            return 0;
    while (BN_is_zero(out));
    return 1;
}

static int is_private(const struct work *work, const BIGNUM *d)
{
    return !BN_is_zero(d) && BN_cmp(d, work->curve->n) < 0;
}

static int fits_order(const struct work *work, const BIGNUM *k)
{
    return BN_num_bits(k) <= BN_num_bits(work->curve->order);
}

/* A checked point of two operands. (0, 0) is infinity where that is allowed. */
static int read_point(struct work *work, unsigned first, int infinity, EC_POINT **point)
{
    const struct soft_curve *curve = work->curve;
    const BIGNUM *x = work->in[first], *y = work->in[first + 1];
    int bits = (int)curve->field_bits;
    if (curve->binary ? BN_num_bits(x) > bits || BN_num_bits(y) > bits
                      : BN_cmp(x, curve->p) >= 0 || BN_cmp(y, curve->p) >= 0)
        return ECCEL_COORD_RANGE;
    if (!(*point = EC_POINT_new(curve->group)))
        return ECCEL_ENGINE_FAULT;
    if (infinity && BN_is_zero(x) && BN_is_zero(y))
        return EC_POINT_set_to_infinity(curve->group, *point) ? ECCEL_OK : ECCEL_ENGINE_FAULT;
    return EC_POINT_set_affine_coordinates(curve->group, *point, x, y, work->context) ? ECCEL_OK : ECCEL_NOT_ON_CURVE;
}

/* Both coordinates as results. */
static int give_point(struct work *work, const EC_POINT *point)
{
    work->values = 2;
    if (EC_POINT_is_at_infinity(work->curve->group, point)) {
        BN_zero(work->out[0]);
        BN_zero(work->out[1]);
        return ECCEL_INFINITY;
    }
    return EC_POINT_get_affine_coordinates(work->curve->group, point, work->out[0], work->out[1], work->context)
               ? ECCEL_OK
               : ECCEL_ENGINE_FAULT;
}

/* g G + k P into a new point. */
static EC_POINT *combine(struct work *work, const BIGNUM *g, const EC_POINT *point, const BIGNUM *k)
{
    EC_POINT *sum = EC_POINT_new(work->curve->group);
    if (sum && EC_POINT_mul(work->curve->group, sum, g, point, k, work->context))
        return sum;
    EC_POINT_free(sum);
    return NULL;
}

static int give_sum(struct work *work, const BIGNUM *g, const EC_POINT *point, const BIGNUM *k)
{
    EC_POINT *sum = combine(work, g, point, k);
    int status = sum ? give_point(work, sum) : ECCEL_ENGINE_FAULT;
    EC_POINT_clear_free(sum);
    return status;
}

static int multiply(struct work *work)
{
    EC_POINT *point = NULL;
    int status = fits_order(work, work->in[0]) ? read_point(work, 1, 1, &point) : ECCEL_SCALAR_RANGE;
    if (!status)
        status = give_sum(work, NULL, point, work->in[0]);
    EC_POINT_free(point);
    return status;
}

static int double_multiply(struct work *work)
{
    EC_POINT *point = NULL;
    int status = fits_order(work, work->in[0]) && fits_order(work, work->in[1]) ? read_point(work, 2, 0, &point)
                                                                               : ECCEL_SCALAR_RANGE;
    if (!status)
        status = give_sum(work, work->in[0], point, work->in[1]);
    EC_POINT_free(point);
    return status;
}

static int add_points(struct work *work)
{
    EC_POINT *left = NULL, *right = NULL;
    int status = read_point(work, 0, 1, &left);
    if (!status)
        status = read_point(work, 2, 1, &right);
    if (!status)
        status = EC_POINT_add(work->curve->group, left, left, right, work->context) ? give_point(work, left)
                                                                                  : ECCEL_ENGINE_FAULT;
    EC_POINT_free(left);
    EC_POINT_free(right);
    return status;
}

static int on_curve(struct work *work)
{
    EC_POINT *point = NULL;
    int status = read_point(work, 0, 0, &point);
    EC_POINT_free(point);
    return status;
}

/* Multiplies by a multiple of h: the part of small order of any point vanishes. */
static int agree(struct work *work)
{
    const struct soft_curve *curve = work->curve;
    EC_POINT *point = NULL, *shared = NULL;
    BIGNUM *scalar = work->in[2];
    int status = is_private(work, scalar) ? read_point(work, 0, 0, &point) : ECCEL_SCALAR_RANGE;
    if (!status && BN_cmp(curve->order, curve->n)) {
        const BIGNUM *h = EC_GROUP_get0_cofactor(curve->group);
        if ((!(work->flags & ECCEL_FLAG_COFACTOR) &&
             !BN_mod_mul(scalar, scalar, curve->h_inverse, curve->n, work->context)) ||
            !BN_mul(scalar, scalar, h, work->context))
            status = ECCEL_ENGINE_FAULT;
    }
    if (!status && !(shared = combine(work, NULL, point, scalar)))
        status = ECCEL_ENGINE_FAULT;
    if (!status) {
        status = give_point(work, shared);
        work->values = 1;
        if (status == ECCEL_INFINITY)
            status = ECCEL_EXCEPTIONAL;
    }
    EC_POINT_free(point);
    EC_POINT_clear_free(shared);
    return status;
}

int soft_nonce(const struct soft_curve *curve, const BIGNUM *k, BIGNUM *r, BIGNUM *inverse, BN_CTX *context)
{
    EC_POINT *point = EC_POINT_new(curve->group);
    int good = point && EC_POINT_mul(curve->group, point, k, NULL, NULL, context) &&
               EC_POINT_get_affine_coordinates(curve->group, point, r, NULL, context) &&
               BN_nnmod(r, r, curve->n, context) && BN_mod_inverse(inverse, k, curve->n, context);
    EC_POINT_clear_free(point);
    return good;
}

/* s = k^-1 (e + r d), with in[0] = e, in[1] = d, in[2] = k. */
static int sign(struct work *work, struct nonces *nonces)
{
    const struct soft_curve *curve = work->curve;
    BIGNUM *r = work->out[0], *s = work->out[1], *k = work->in[2], *inverse = work->in[3];
    int random = (work->flags & ECCEL_FLAG_RANDOM) != 0;
    if (!is_private(work, work->in[1]) || (!random && !is_private(work, k)))
        return ECCEL_SCALAR_RANGE;
    if (!(random && nonces_take(nonces, r, inverse)) &&
        (!(random ? soft_draw(curve, k) : 1) || !soft_nonce(curve, k, r, inverse, work->context)))
        return ECCEL_ENGINE_FAULT;
    if (!BN_mod_mul(s, r, work->in[1], curve->n, work->context) || !BN_add(s, s, work->in[0]) ||
        !BN_mod_mul(s, s, inverse, curve->n, work->context))
        return ECCEL_ENGINE_FAULT;
    work->values = 2;
    return BN_is_zero(r) || BN_is_zero(s) ? ECCEL_RETRY : ECCEL_OK;
}

/* in: e, r, s, x, y. */
static int verify(struct work *work)
{
    const struct soft_curve *curve = work->curve;
    BIGNUM *e = work->in[0], *r = work->in[1], *s = work->in[2];
    EC_POINT *key = NULL, *sum = NULL;
    int status = ECCEL_BAD_SIGNATURE;
    if (!is_private(work, r) || !is_private(work, s) || (status = read_point(work, 3, 0, &key)))
        goto end;
    status = ECCEL_ENGINE_FAULT;
    if (curve->binary) { /* a key outside the subgroup of order n */
        if (!(sum = combine(work, NULL, key, curve->n)))
            goto end;
        if (!EC_POINT_is_at_infinity(curve->group, sum)) {
            status = ECCEL_BAD_SIGNATURE;
            goto end;
        }
        EC_POINT_free(sum);
        sum = NULL;
    }
    if (!BN_mod_inverse(s, s, curve->n, work->context) || !BN_mod_mul(e, e, s, curve->n, work->context) ||
        !BN_mod_mul(s, r, s, curve->n, work->context) || !(sum = combine(work, e, key, s)))
        goto end;
    status = ECCEL_BAD_SIGNATURE;
    if (!EC_POINT_is_at_infinity(curve->group, sum) &&
        EC_POINT_get_affine_coordinates(curve->group, sum, e, NULL, work->context) &&
        BN_nnmod(e, e, curve->n, work->context) && !BN_cmp(e, r))
        status = ECCEL_OK;
end:
    EC_POINT_free(key);
    EC_POINT_free(sum);
    return status;
}

/* in[0] = d, drawn with RANDOM. */
static int generate(struct work *work, uint8_t *key)
{
    if (!(work->flags & ECCEL_FLAG_RANDOM ? soft_draw(work->curve, work->in[0]) : 1))
        return ECCEL_ENGINE_FAULT;
    if (!is_private(work, work->in[0]))
        return ECCEL_SCALAR_RANGE;
    if (BN_bn2binpad(work->in[0], key, (int)(4 * work->curve->words)) < 0)
        return ECCEL_ENGINE_FAULT;
    return give_sum(work, work->in[0], NULL, NULL);
}

static int self_test(struct work *work)
{
    EC_POINT *sum = combine(work, NULL, EC_GROUP_get0_generator(work->curve->group), work->curve->n);
    int status = sum && EC_POINT_is_at_infinity(work->curve->group, sum) ? ECCEL_OK : ECCEL_SELF_TEST_FAILED;
    EC_POINT_free(sum);
    return status;
}

static int run(struct work *work, unsigned op, struct soft_curve *curve, uint8_t *key)
{
    switch (op) {
    case ECCEL_OP_MUL: return multiply(work);
    case ECCEL_OP_BASE_MUL: return fits_order(work, work->in[0]) ? give_sum(work, work->in[0], NULL, NULL) : ECCEL_SCALAR_RANGE;
    case ECCEL_OP_DOUBLE_MUL: return double_multiply(work);
    case ECCEL_OP_POINT_ADD: return add_points(work);
    case ECCEL_OP_ON_CURVE: return on_curve(work);
    case ECCEL_OP_ECDH: return agree(work);
    case ECCEL_OP_ECDSA_SIGN: return sign(work, &curve->nonces);
    case ECCEL_OP_ECDSA_VERIFY: return verify(work);
    case ECCEL_OP_KEYGEN: return generate(work, key);
    case ECCEL_OP_KEY_LOAD: return is_private(work, work->in[0]) ? ECCEL_OK : ECCEL_SCALAR_RANGE;
    case ECCEL_OP_SELF_TEST: return self_test(work);
    default:
        work->values = 1;
        return soft_mod(work->curve, op, work->flags, work->in[0], work->in[1], work->out[0], work->context);
    }
}

void soft_job(struct soft_curve *curve, const struct eccel_request *request, BN_CTX *context,
              struct eccel_result *result, uint8_t *key)
{
    struct work work = {.curve = curve, .context = context, .flags = request->flags};
    int status = ECCEL_OK;
    BN_CTX_start(context);
    for (unsigned i = 0; i < ECCEL_MAX_OPERANDS; i++)
        work.in[i] = BN_CTX_get(context);
    for (unsigned i = 0; i < ECCEL_MAX_RESULTS; i++)
        work.out[i] = BN_CTX_get(context);
    for (unsigned i = 0; i < request->operands && !status; i++)
        if (!work.out[1] || !BN_bin2bn(request->operand[i].bytes, (int)request->operand[i].length, work.in[i]))
            status = ECCEL_ENGINE_FAULT;
    if (!status && work.out[1])
        status = run(&work, request->op, curve, key);
    result->result = status;
    result->bytes = 4u * curve->words;
    result->values = status == ECCEL_OK || status == ECCEL_INFINITY ? work.values : 0;
    for (unsigned i = 0; i < result->values; i++)
        if (BN_bn2binpad(work.out[i], result->value[i], (int)result->bytes) < 0)
            result->result = ECCEL_ENGINE_FAULT;
    /* Numbers of a context are used again. Only here is it known which ones are secret. */
    for (unsigned i = 0; work.out[1] && i < ECCEL_MAX_OPERANDS; i++)
        BN_clear(work.in[i]);
    for (unsigned i = 0; work.out[1] && i < ECCEL_MAX_RESULTS; i++)
        BN_clear(work.out[i]);
    BN_CTX_end(context);
}
