/* Keys that never leave the device.
   SPDX-License-Identifier: Apache-2.0

   A device does not tell the public key of its slot, so it is found from what the device does: ECDH with the base
   point gives x, and a signature tells which of the two points with this x it is. If the key may not agree, a
   signature (r, s) of e alone leaves the few points Q = (s R - e G) / r with x(R) = r modulo n, and a second signature
   tells which (SEC 1, 4.1.6). */
#include "slot.h"

#include <openssl/bn.h>
#include <openssl/rand.h>
#include <string.h>

#include "errors.h"
#include "provider.h"
#include "signature.h"
#include "software.h"

#define HASH_BYTES 32

bool slot_generate(struct key *key, enum slot_use use)
{
    static const uint8_t attributes[] = {0, ECCEL_FLAG_NO_AGREE, ECCEL_FLAG_NO_SIGN};
    struct provider *provider = key->provider;
    struct eccel_result result;
    struct eccel_request request = {.op = ECCEL_OP_KEYGEN,
                                    .flags = (uint8_t)(ECCEL_FLAG_RANDOM | attributes[use]),
                                    .curve = key->curve->device};
    if (engine_run(provider, key->curve, OPERATION_KEYGEN, true, &request, &result) != OUTCOME_DONE)
        return false;
    if (result.result != ECCEL_OK || result.values != 2)
        return engine_refused(provider, OPERATION_KEYGEN, result.result);
    engine_value(&result, 0, key->x, key->curve->field_bytes);
    engine_value(&result, 1, key->y, key->curve->field_bytes);
    key->has_public = key->has_private = key->in_slot = true;
    return true;
}

struct example { /* a signature of the key in the slot */
    uint8_t hash[HASH_BYTES], r[NUMBER_BYTES], s[NUMBER_BYTES];
};

/* Each returns the status of the device, or -1 with an error raised. */
static int sign_example(const struct key *key, struct example *example)
{
    const struct curve *curve = key->curve;
    uint8_t e[NUMBER_BYTES];
    if (RAND_bytes_ex(key->provider->libctx, example->hash, sizeof example->hash, 0) <= 0)
        return -1;
    struct eccel_result result;
    struct eccel_request request = {
        .op = ECCEL_OP_ECDSA_SIGN,
        .flags = ECCEL_FLAG_KEY | ECCEL_FLAG_RANDOM,
        .curve = curve->device,
        .operands = 1,
        .operand = {{e, signature_hash_number(example->hash, HASH_BYTES, curve->order_bits, e)}},
    };
    if (engine_run(key->provider, curve, OPERATION_SIGN, true, &request, &result) != OUTCOME_DONE)
        return -1;
    if (result.result == ECCEL_OK) {
        engine_value(&result, 0, example->r, curve->order_bytes);
        engine_value(&result, 1, example->s, curve->order_bytes);
    }
    return result.result;
}

static int agree_with_base(const struct key *key, uint8_t *x)
{
    const struct curve *curve = key->curve;
    uint8_t octets[POINT_BYTES];
    if (EC_POINT_point2oct(curve->group, EC_GROUP_get0_generator(curve->group), POINT_CONVERSION_UNCOMPRESSED, octets,
                           sizeof octets, NULL) == 0)
        return -1;
    struct eccel_result result;
    struct eccel_request request = {
        .op = ECCEL_OP_ECDH,
        .flags = ECCEL_FLAG_KEY,
        .curve = curve->device,
        .operands = 2,
        .operand = {{octets + 1, curve->field_bytes}, {octets + 1 + curve->field_bytes, curve->field_bytes}},
    };
    if (engine_run(key->provider, curve, OPERATION_DERIVE, true, &request, &result) != OUTCOME_DONE)
        return -1;
    if (result.result == ECCEL_OK)
        engine_value(&result, 0, x, curve->field_bytes);
    return result.result;
}

/* Whether `point` verifies the example; if so the key gets it. */
static bool try_point(struct key *key, const EC_POINT *point, const struct example *example, BN_CTX *numbers)
{
    uint8_t octets[POINT_BYTES], signature[SIGNATURE_BYTES];
    const struct curve *curve = key->curve;
    size_t length =
        EC_POINT_point2oct(curve->group, point, POINT_CONVERSION_UNCOMPRESSED, octets, sizeof octets, numbers);
    if (length < 2 || !key_set_public(key, octets, length))
        return false;
    size_t size = signature_encode(example->r, example->s, curve->order_bytes, signature);
    if (software_verify(key, example->hash, HASH_BYTES, signature, size) == 1)
        return true;
    key->has_public = false;
    return false;
}

/* Both points with this x, if there are any. */
static bool try_x(struct key *key, const BIGNUM *x, const struct example *example, BN_CTX *numbers)
{
    EC_POINT *point = EC_POINT_new(key->curve->group);
    bool found = false;
    for (int odd = 0; odd < 2 && !found && point != NULL; odd++)
        found = EC_POINT_set_compressed_coordinates(key->curve->group, point, x, odd, numbers) &&
                try_point(key, point, example, numbers);
    EC_POINT_free(point);
    return found;
}

/* All points that made `first`, until one also made `second`. */
static bool try_signatures(struct key *key, const struct example *first, const struct example *second, BN_CTX *numbers)
{
    const struct curve *curve = key->curve;
    const EC_GROUP *group = curve->group;
    const BIGNUM *n = EC_GROUP_get0_order(group);
    uint8_t octets[NUMBER_BYTES];
    size_t length = signature_hash_number(first->hash, HASH_BYTES, curve->order_bits, octets);
    BIGNUM *r = BN_CTX_get(numbers), *s = BN_CTX_get(numbers), *e = BN_CTX_get(numbers), *x = BN_CTX_get(numbers);
    EC_POINT *point = EC_POINT_new(group);
    bool found = false;
    if (point == NULL || x == NULL || BN_bin2bn(first->r, (int)curve->order_bytes, r) == NULL ||
        BN_bin2bn(first->s, (int)curve->order_bytes, s) == NULL || BN_bin2bn(octets, (int)length, e) == NULL ||
        BN_copy(x, r) == NULL || BN_mod_inverse(r, r, n, numbers) == NULL || !BN_mod_mul(s, s, r, n, numbers) ||
        !BN_mod_mul(e, e, r, n, numbers) || !BN_sub(e, n, e))
        goto end;
    /* Q = -(e / r) G + (s / r) R, for each R with x = r, r + n, r + 2 n, .. in the field */
    for (; !found && BN_num_bits(x) <= EC_GROUP_get_degree(group); BN_add(x, x, n))
        for (int odd = 0; odd < 2 && !found; odd++)
            found = EC_POINT_set_compressed_coordinates(group, point, x, odd, numbers) &&
                    EC_POINT_mul(group, point, e, point, s, numbers) && try_point(key, point, second, numbers);
end:
    EC_POINT_free(point);
    return found;
}

bool slot_find(struct key *key)
{
    const struct curve *curve = key->curve;
    struct example first, second;
    uint8_t octets[NUMBER_BYTES];
    BN_CTX *numbers = BN_CTX_new_ex(key->provider->libctx);
    bool found = false;
    if (numbers == NULL)
        return false;
    BN_CTX_start(numbers);
    int agreed = agree_with_base(key, octets);
    int signed_first = agreed < 0 ? -1 : sign_example(key, &first);
    if (agreed == ECCEL_OK) {
        BIGNUM *x = BN_bin2bn(octets, (int)curve->field_bytes, NULL);
        if (signed_first == ECCEL_OK) {
            found = x != NULL && try_x(key, x, &first, numbers);
        } else if (signed_first == ECCEL_KEY_REFUSED) {
            uint8_t compressed[1 + NUMBER_BYTES] = {POINT_CONVERSION_COMPRESSED};
            memcpy(compressed + 1, octets, curve->field_bytes);
            found = key_set_public(key, compressed, 1 + curve->field_bytes);
            key->form = POINT_CONVERSION_UNCOMPRESSED;
        }
        BN_free(x);
    } else if (agreed == ECCEL_KEY_REFUSED && signed_first == ECCEL_OK && sign_example(key, &second) == ECCEL_OK) {
        found = try_signatures(key, &first, &second, numbers);
    }
    BN_CTX_end(numbers);
    BN_CTX_free(numbers);
    key->has_private = key->in_slot = found;
    if (!found && agreed >= 0)
        engine_refused(key->provider, OPERATION_KEYGEN, agreed != ECCEL_OK ? agreed : signed_first);
    return found;
}
