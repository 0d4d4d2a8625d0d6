/* The jobs and curves of device_stub.c, computed by libcrypto.
   SPDX-License-Identifier: Apache-2.0 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "device_stub.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <pthread.h>
#include <stdlib.h>

struct eccel_curve {
    EC_GROUP *group;
    size_t field_bytes, order_bytes;
};

static eccel_curve *make_curve(EC_GROUP *group)
{
    eccel_curve *curve = group != NULL ? calloc(1, sizeof *curve) : NULL;
    if (curve == NULL)
        return NULL;
    curve->group = group;
    curve->field_bytes = ((size_t)EC_GROUP_get_degree(group) + 7) / 8;
    curve->order_bytes = ((size_t)EC_GROUP_order_bits(group) + 7) / 8;
    return curve;
}

const eccel_curve *eccel_curve_named(const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static eccel_curve *known[1400];
    int nid = OBJ_txt2nid(name);
    if (nid <= 0 || nid >= 1400)
        return NULL;
    pthread_mutex_lock(&lock);
    if (known[nid] == NULL)
        known[nid] = make_curve(EC_GROUP_new_by_curve_name(nid));
    pthread_mutex_unlock(&lock);
    return known[nid];
}

eccel_curve *eccel_curve_new(const struct eccel_parameters *numbers)
{
    const uint8_t *octets[] = {numbers->p, numbers->a, numbers->b, numbers->gx, numbers->gy, numbers->order};
    BIGNUM *number[6], *cofactor = BN_new();
    for (int i = 0; i < 6; i++)
        number[i] = BN_bin2bn(octets[i], (int)numbers->bytes, NULL);
    BN_set_word(cofactor, numbers->cofactor);
    EC_GROUP *group = (numbers->kind == ECCEL_BINARY ? EC_GROUP_new_curve_GF2m : EC_GROUP_new_curve_GFp)(
        number[0], number[1], number[2], NULL);
    EC_POINT *generator = group != NULL ? EC_POINT_new(group) : NULL;
    int good = generator != NULL &&
               EC_POINT_set_affine_coordinates(group, generator, number[3], number[4], NULL) &&
               EC_GROUP_set_generator(group, generator, number[5], cofactor);
    EC_POINT_free(generator);
    for (int i = 0; i < 6; i++)
        BN_free(number[i]);
    BN_free(cofactor);
    eccel_curve *curve = good ? make_curve(group) : NULL;
    if (curve == NULL)
        EC_GROUP_free(group);
    return curve;
}

void eccel_curve_free(eccel_curve *curve)
{
    if (curve != NULL)
        EC_GROUP_free(curve->group);
    free(curve);
}

static void put(struct eccel_result *result, size_t bytes, const BIGNUM *first, const BIGNUM *second)
{
    result->bytes = bytes;
    result->values = second != NULL ? 2 : 1;
    BN_bn2binpad(first, result->value[0], (int)bytes);
    if (second != NULL)
        BN_bn2binpad(second, result->value[1], (int)bytes);
}

static int affine(const eccel_curve *curve, const EC_POINT *point, struct eccel_result *result, int only_x)
{
    BIGNUM *x = BN_new(), *y = BN_new();
    int good = !EC_POINT_is_at_infinity(curve->group, point) &&
               EC_POINT_get_affine_coordinates(curve->group, point, x, y, NULL);
    if (good)
        put(result, curve->field_bytes, x, only_x ? NULL : y);
    BN_free(x);
    BN_free(y);
    return good ? ECCEL_OK : ECCEL_EXCEPTIONAL;
}

static int sign(const eccel_curve *curve, const BIGNUM *d, const struct eccel_operand *e, struct eccel_result *result)
{
    EC_KEY *key = EC_KEY_new();
    EC_KEY_set_group(key, curve->group);
    EC_KEY_set_private_key(key, d);
    /* e is a number already: ECDSA_do_sign would cut it again, unless it has the length of the order */
    uint8_t padded[ECCEL_MAX_BYTES] = {0};
    int shift = (8 - EC_GROUP_order_bits(curve->group) % 8) % 8;
    BIGNUM *number = BN_bin2bn(e->bytes, (int)e->length, NULL);
    BN_lshift(number, number, shift);
    BN_bn2binpad(number, padded, (int)curve->order_bytes);
    ECDSA_SIG *signature = ECDSA_do_sign(padded, (int)curve->order_bytes, key);
    if (signature != NULL)
        put(result, curve->order_bytes, ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature));
    ECDSA_SIG_free(signature);
    BN_free(number);
    EC_KEY_free(key);
    return signature != NULL ? ECCEL_OK : ECCEL_SCALAR_RANGE;
}

static int verify(const eccel_curve *curve, BIGNUM *const number[5], EC_POINT *point)
{
    const BIGNUM *n = EC_GROUP_get0_order(curve->group), *e = number[0], *r = number[1], *s = number[2];
    BIGNUM *u1 = BN_new(), *u2 = BN_new(), *inverse = BN_new(), *x = BN_new();
    BN_CTX *context = BN_CTX_new();
    EC_POINT *sum = EC_POINT_new(curve->group);
    int valid = !BN_is_zero(r) && !BN_is_zero(s) && BN_cmp(r, n) < 0 && BN_cmp(s, n) < 0;
    if (valid) {
        BN_mod_inverse(inverse, s, n, context);
        BN_mod_mul(u1, e, inverse, n, context);
        BN_mod_mul(u2, r, inverse, n, context);
        EC_POINT_mul(curve->group, sum, u1, point, u2, context);
        valid = !EC_POINT_is_at_infinity(curve->group, sum) &&
                EC_POINT_get_affine_coordinates(curve->group, sum, x, NULL, context);
        BN_nnmod(x, x, n, context);
        valid = valid && BN_cmp(x, r) == 0;
    }
    EC_POINT_free(sum);
    BN_CTX_free(context);
    BN_free(u1);
    BN_free(u2);
    BN_free(inverse);
    BN_free(x);
    return valid ? ECCEL_OK : ECCEL_BAD_SIGNATURE;
}

static int ecdh(const eccel_curve *curve, EC_POINT *point, const BIGNUM *d, int cofactor, struct eccel_result *result)
{
    BIGNUM *scalar = BN_dup(d);
    EC_POINT *product = EC_POINT_new(curve->group);
    BN_CTX *context = BN_CTX_new();
    if (cofactor)
        BN_mul(scalar, d, EC_GROUP_get0_cofactor(curve->group), context);
    EC_POINT_mul(curve->group, product, NULL, point, scalar, context);
    int status = affine(curve, product, result, 1);
    BN_CTX_free(context);
    EC_POINT_free(product);
    BN_clear_free(scalar);
    return status;
}

static int base_mul(const eccel_curve *curve, const BIGNUM *d, struct eccel_result *result)
{
    EC_POINT *product = EC_POINT_new(curve->group);
    EC_POINT_mul(curve->group, product, d, NULL, NULL, NULL);
    int status = affine(curve, product, result, 0);
    EC_POINT_free(product);
    return status;
}

static int key_operand(struct slot *slot, const struct eccel_request *request, BIGNUM *d)
{
    if ((request->flags & ECCEL_FLAG_KEY) == 0)
        return ECCEL_OK;
    if (!slot->has_key)
        return ECCEL_NO_KEY;
    BN_bin2bn(slot->key, (int)request->curve->order_bytes, d);
    uint8_t refused = request->op == ECCEL_OP_ECDH ? ECCEL_FLAG_NO_AGREE : ECCEL_FLAG_NO_SIGN;
    return (slot->attributes & refused) ? ECCEL_KEY_REFUSED : ECCEL_OK;
}

static int keygen(struct slot *slot, const struct eccel_request *request, struct eccel_result *result)
{
    const eccel_curve *curve = request->curve;
    if (slot->has_key)
        return ECCEL_KEY_REFUSED;
    BIGNUM *d = BN_new();
    do
        BN_priv_rand_range(d, EC_GROUP_get0_order(curve->group));
    while (BN_is_zero(d));
    BN_bn2binpad(d, slot->key, (int)curve->order_bytes);
    slot->has_key = 1;
    slot->attributes = request->flags & (ECCEL_FLAG_NO_AGREE | ECCEL_FLAG_NO_SIGN);
    int status = base_mul(curve, d, result);
    BN_clear_free(d);
    return status;
}

int stub_compute(struct slot *slot, const struct eccel_request *request, struct eccel_result *result)
{
    const eccel_curve *curve = request->curve;
    BIGNUM *number[5];
    EC_POINT *point = EC_POINT_new(curve->group);
    int status = ECCEL_BAD_OP, place = request->op == ECCEL_OP_ECDSA_VERIFY ? 3 : 0;
    for (unsigned i = 0; i < 5; i++)
        number[i] = i < request->operands
                        ? BN_bin2bn(request->operand[i].bytes, (int)request->operand[i].length, NULL) : BN_new();
    if ((request->op == ECCEL_OP_ECDH || request->op == ECCEL_OP_ECDSA_VERIFY) &&
        !EC_POINT_set_affine_coordinates(curve->group, point, number[place], number[place + 1], NULL)) {
        status = ECCEL_NOT_ON_CURVE;
    } else if (request->op == ECCEL_OP_ECDH) {
        status = key_operand(slot, request, number[2]);
        if (status == ECCEL_OK)
            status = ecdh(curve, point, number[2], request->flags & ECCEL_FLAG_COFACTOR, result);
    } else if (request->op == ECCEL_OP_ECDSA_SIGN) {
        status = key_operand(slot, request, number[1]);
        if (status == ECCEL_OK)
            status = sign(curve, number[1], &request->operand[0], result);
    } else if (request->op == ECCEL_OP_ECDSA_VERIFY) {
        status = verify(curve, number, point);
    } else if (request->op == ECCEL_OP_BASE_MUL) {
        status = base_mul(curve, number[0], result);
    } else if (request->op == ECCEL_OP_KEYGEN) {
        status = keygen(slot, request, result);
    }
    for (int i = 0; i < 5; i++)
        BN_clear_free(number[i]);
    EC_POINT_free(point);
    return status;
}
