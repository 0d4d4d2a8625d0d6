/* Finds and makes curves.
   SPDX-License-Identifier: Apache-2.0 */
#include "curves.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "provider.h"

int curves_nid(const char *name)
{
    int nid = EC_curve_nist2nid(name);
    if (nid == NID_undef)
        nid = OBJ_txt2nid(name);
    return nid;
}

static unsigned security_bits(unsigned order_bits)
{
    static const struct {
        unsigned order, security;
    } steps[] = {{512, 256}, {384, 192}, {256, 128}, {224, 112}, {160, 80}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (order_bits >= steps[i].order)
            return steps[i].security;
    return order_bits / 2;
}

/* libeccel's curve from OpenSSL's numbers. Leaves it NULL if libeccel does not take them. */
static void make_device_curve(struct curve *curve, BN_CTX *numbers)
{
    const EC_POINT *generator = EC_GROUP_get0_generator(curve->group);
    const BIGNUM *order = EC_GROUP_get0_order(curve->group), *cofactor = EC_GROUP_get0_cofactor(curve->group);
    BIGNUM *value[5];
    for (int i = 0; i < 5; i++)
        if ((value[i] = BN_CTX_get(numbers)) == NULL)
            return;
    if (generator == NULL || cofactor == NULL || BN_num_bits(cofactor) > 32 || BN_is_zero(cofactor) ||
        !EC_GROUP_get_curve(curve->group, value[0], value[1], value[2], numbers) ||
        !EC_POINT_get_affine_coordinates(curve->group, generator, value[3], value[4], numbers))
        return;
    bool binary = EC_GROUP_get_field_type(curve->group) == NID_X9_62_characteristic_two_field;
    size_t bytes = (size_t)BN_num_bytes(value[0]); /* of a binary curve: the polynomial with all its terms */
    if ((size_t)BN_num_bytes(order) > bytes)
        bytes = (size_t)BN_num_bytes(order);
    if (bytes > ECCEL_MAX_BYTES)
        return;
    uint8_t octets[6][ECCEL_MAX_BYTES];
    for (int i = 0; i < 5; i++)
        if (BN_bn2binpad(value[i], octets[i], (int)bytes) < 0)
            return;
    if (BN_bn2binpad(order, octets[5], (int)bytes) < 0)
        return;
    curve->own = eccel_curve_new(&(struct eccel_parameters){
        .kind = binary ? ECCEL_BINARY : ECCEL_WEIERSTRASS, .bytes = bytes, .p = octets[0], .a = octets[1],
        .b = octets[2], .gx = octets[3], .gy = octets[4], .order = octets[5],
        .cofactor = (uint32_t)BN_get_word(cofactor)});
    curve->device = curve->own;
}

/* Takes the group over. */
static struct curve *make_curve(struct provider *provider, int nid, EC_GROUP *group)
{
    BN_CTX *numbers = BN_CTX_new_ex(provider->libctx);
    struct curve *curve = calloc(1, sizeof *curve);
    if (numbers == NULL || curve == NULL || group == NULL) {
        BN_CTX_free(numbers);
        EC_GROUP_free(group);
        free(curve);
        return NULL;
    }
    int order_bits = EC_GROUP_order_bits(group);
    curve->references = 1;
    curve->nid = nid;
    curve->group = group;
    curve->order_bits = (unsigned)order_bits;
    curve->order_bytes = (curve->order_bits + 7) / 8;
    curve->field_bytes = ((size_t)EC_GROUP_get_degree(group) + 7) / 8;
    curve->security_bits = security_bits(curve->order_bits);
    const BIGNUM *cofactor = EC_GROUP_get0_cofactor(group);
    curve->cofactor_one = cofactor != NULL && BN_is_one(cofactor);
    for (int i = 0; i < OPERATIONS; i++)
        curve->hardware[i] = config_hardware(&provider->config, nid, i);
    if (nid != 0)
        curve->device = eccel_curve_named(OBJ_nid2sn(nid));
    if (curve->device == NULL) {
        BN_CTX_start(numbers);
        make_device_curve(curve, numbers);
        BN_CTX_end(numbers);
    }
    BN_CTX_free(numbers);
    if (order_bits < 2 || curve->order_bytes > NUMBER_BYTES || curve->field_bytes > NUMBER_BYTES) {
        curves_release(curve);
        return NULL;
    }
    return curve;
}

struct curve *curves_hold(struct curve *curve)
{
    if (curve != NULL)
        atomic_fetch_add_explicit(&curve->references, 1, memory_order_relaxed);
    return curve;
}

void curves_release(struct curve *curve)
{
    if (curve == NULL || atomic_fetch_sub_explicit(&curve->references, 1, memory_order_acq_rel) != 1)
        return;
    EC_GROUP_free(curve->group);
    eccel_curve_free(curve->own);
    free(curve);
}

void curves_free_all(struct curves *curves)
{
    for (struct curve *curve = curves->named, *next; curve != NULL; curve = next) {
        next = curve->next;
        curves_release(curve);
    }
    curves->named = NULL;
}

static struct curve *find_named(struct provider *provider, int nid)
{
    for (struct curve *curve = provider->curves.named; curve != NULL; curve = curve->next)
        if (curve->nid == nid)
            return curve;
    return NULL;
}

struct curve *curves_named(struct provider *provider, int nid)
{
    struct curve *found = nid == NID_undef || nid == NID_sm2 ? NULL : find_named(provider, nid);
    if (found != NULL)
        return curves_hold(found);
    if (nid == NID_undef || nid == NID_sm2)
        return NULL;
    struct curve *made = make_curve(provider, nid, EC_GROUP_new_by_curve_name_ex(provider->libctx, NULL, nid));
    if (made == NULL)
        return NULL;
    /* Without a lock: if two threads make the same curve, both stay in the list, and the first is found. */
    made->next = provider->curves.named;
    while (!atomic_compare_exchange_weak(&provider->curves.named, &made->next, made)) {
    }
    return curves_hold(made);
}

struct curve *curves_from_params(struct provider *provider, const OSSL_PARAM params[], bool *explicit)
{
    const OSSL_PARAM *name = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
    *explicit = false;
    if (name != NULL) {
        const char *text;
        struct curve *curve = NULL;
        if (OSSL_PARAM_get_utf8_string_ptr(name, &text) && text != NULL)
            curve = curves_named(provider, curves_nid(text));
        if (curve == NULL)
            RAISE(provider, REASON_BAD_GROUP, NULL);
        return curve;
    }
    EC_GROUP *group = EC_GROUP_new_from_params(params, provider->libctx, NULL);
    if (group == NULL) {
        RAISE(provider, REASON_BAD_GROUP, NULL);
        return NULL;
    }
    *explicit = true;
    int nid = EC_GROUP_get_curve_name(group);
    struct curve *curve = NULL;
    if (nid == NID_undef) {
        curve = make_curve(provider, 0, group);
    } else {
        EC_GROUP_free(group);
        curve = curves_named(provider, nid);
    }
    if (curve == NULL)
        RAISE(provider, REASON_BAD_GROUP, NULL);
    return curve;
}

bool curves_equal(const struct curve *a, const struct curve *b)
{
    return a != NULL && b != NULL && (a == b || EC_GROUP_cmp(a->group, b->group, NULL) == 0);
}

static bool add_number(struct params *params, const char *name, const BIGNUM *number)
{
    uint8_t octets[NUMBER_BYTES];
    int length = BN_num_bytes(number) > 0 ? BN_num_bytes(number) : 1;
    if (length > NUMBER_BYTES || BN_bn2binpad(number, octets, length) < 0)
        return false;
    params_number(params, name, octets, (size_t)length);
    return true;
}

bool curves_to_params(const struct curve *curve, struct params *params)
{
    EC_GROUP *group = curve->group;
    const EC_POINT *generator = EC_GROUP_get0_generator(group);
    const BIGNUM *cofactor = EC_GROUP_get0_cofactor(group);
    BN_CTX *numbers = BN_CTX_new();
    bool done = false;
    if (numbers == NULL)
        return false;
    BN_CTX_start(numbers);
    BIGNUM *p = BN_CTX_get(numbers), *a = BN_CTX_get(numbers), *b = BN_CTX_get(numbers);
    uint8_t octets[POINT_BYTES];
    if (b != NULL && generator != NULL && EC_GROUP_get_curve(group, p, a, b, numbers)) {
        size_t length =
            EC_POINT_point2oct(group, generator, POINT_CONVERSION_UNCOMPRESSED, octets, sizeof octets, numbers);
        if (curve->nid != 0)
            params_utf8(params, OSSL_PKEY_PARAM_GROUP_NAME, OBJ_nid2sn(curve->nid));
        params_utf8(params, OSSL_PKEY_PARAM_EC_FIELD_TYPE, OBJ_nid2sn(EC_GROUP_get_field_type(group)));
        params_octets(params, OSSL_PKEY_PARAM_EC_GENERATOR, octets, length);
        size_t seed = EC_GROUP_get_seed_len(group);
        if (seed > 0 && seed <= NUMBER_BYTES)
            params_octets(params, OSSL_PKEY_PARAM_EC_SEED, EC_GROUP_get0_seed(group), seed);
        done = length > 0 && add_number(params, OSSL_PKEY_PARAM_EC_P, p) &&
               add_number(params, OSSL_PKEY_PARAM_EC_A, a) && add_number(params, OSSL_PKEY_PARAM_EC_B, b) &&
               add_number(params, OSSL_PKEY_PARAM_EC_ORDER, EC_GROUP_get0_order(group)) &&
               (cofactor == NULL || add_number(params, OSSL_PKEY_PARAM_EC_COFACTOR, cofactor));
    }
    BN_CTX_end(numbers);
    BN_CTX_free(numbers);
    return done;
}
