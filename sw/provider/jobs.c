/* Makes jobs of keys and hashes, and results of their answers.
   SPDX-License-Identifier: Apache-2.0

   Nonces come from the device. A secret scalar is blinded there unless the settings say otherwise. */
#include "jobs.h"

#include <openssl/crypto.h>

#include "errors.h"
#include "provider.h"
#include "signature.h"
#include "software.h"

/* The flag with which the device computes a multiple twice. */
static uint8_t check_flag(const struct provider *provider)
{
    return provider->config.check ? ECCEL_FLAG_CHECK : 0;
}

bool jobs_sign(struct key *key, const uint8_t *hash, size_t hash_length, uint8_t *signature, size_t room,
               size_t *length)
{
    struct provider *provider = key->provider;
    const struct curve *curve = key->curve;
    size_t longest = signature_size(curve->order_bytes, curve->order_bits);
    if (room < longest) {
        RAISE(provider, REASON_BUFFER, "%zu bytes, not %zu", room, longest);
        return false;
    }
    if (!key->has_private) {
        RAISE(provider, REASON_NO_PRIVATE_KEY, NULL);
        return false;
    }
    uint8_t e[NUMBER_BYTES];
    struct eccel_result result;
    struct eccel_request request = {
        .op = ECCEL_OP_ECDSA_SIGN,
        .flags = (uint8_t)(ECCEL_FLAG_RANDOM | (key->in_slot ? ECCEL_FLAG_KEY : 0) | check_flag(provider)),
        .options = provider->config.blind ? ECCEL_BLIND_IF_POSSIBLE : 0,
        .curve = curve->device,
        .operands = key->in_slot ? 1 : 2,
        .operand = {{e, signature_hash_number(hash, hash_length, curve->order_bits, e)}, {key->d, curve->order_bytes}},
    };
    uint8_t r[NUMBER_BYTES], s[NUMBER_BYTES];
    switch (engine_run(provider, curve, OPERATION_SIGN, key->in_slot, &request, &result)) {
    case OUTCOME_DONE:
        if (result.result != ECCEL_OK || result.values != 2)
            return engine_refused(provider, OPERATION_SIGN, result.result);
        engine_value(&result, 0, r, curve->order_bytes);
        engine_value(&result, 1, s, curve->order_bytes);
        *length = signature_encode(r, s, curve->order_bytes, signature);
        return true;
    case OUTCOME_SOFTWARE:
        return engine_software(provider, OPERATION_SIGN,
                               software_sign(key, hash, hash_length, signature, room, length));
    default:
        return false;
    }
}

int jobs_verify(struct key *key, const uint8_t *hash, size_t hash_length, const uint8_t *signature, size_t length)
{
    struct provider *provider = key->provider;
    const struct curve *curve = key->curve;
    uint8_t e[NUMBER_BYTES], r[NUMBER_BYTES], s[NUMBER_BYTES];
    if (!key_complete(key))
        return -1;
    if (!signature_decode(signature, length, r, s, curve->order_bytes))
        return 0;
    struct eccel_result result;
    struct eccel_request request = {
        .op = ECCEL_OP_ECDSA_VERIFY,
        .curve = curve->device,
        .operands = 5,
        .operand = {{e, signature_hash_number(hash, hash_length, curve->order_bits, e)},
                    {r, curve->order_bytes}, {s, curve->order_bytes},
                    {key->x, curve->field_bytes}, {key->y, curve->field_bytes}},
    };
    int valid;
    switch (engine_run(provider, curve, OPERATION_VERIFY, false, &request, &result)) {
    case OUTCOME_DONE:
        if (result.result == ECCEL_OK || result.result == ECCEL_BAD_SIGNATURE)
            return result.result == ECCEL_OK;
        engine_refused(provider, OPERATION_VERIFY, result.result);
        return -1;
    case OUTCOME_SOFTWARE:
        valid = software_verify(key, hash, hash_length, signature, length);
        engine_software(provider, OPERATION_VERIFY, valid >= 0);
        return valid;
    default:
        return -1;
    }
}

bool jobs_derive(struct key *key, struct key *peer, bool cofactor, uint8_t *shared)
{
    struct provider *provider = key->provider;
    const struct curve *curve = key->curve;
    struct eccel_result result;
    struct eccel_request request = {
        .op = ECCEL_OP_ECDH,
        .flags = (uint8_t)((cofactor ? ECCEL_FLAG_COFACTOR : 0) | (key->in_slot ? ECCEL_FLAG_KEY : 0) |
                           check_flag(provider)),
        .options = provider->config.blind ? ECCEL_BLIND_IF_POSSIBLE : 0,
        .curve = curve->device,
        .operands = key->in_slot ? 2 : 3,
        .operand = {{peer->x, curve->field_bytes}, {peer->y, curve->field_bytes}, {key->d, curve->order_bytes}},
    };
    bool done = false;
    switch (engine_run(provider, curve, OPERATION_DERIVE, key->in_slot, &request, &result)) {
    case OUTCOME_DONE:
        done = result.result == ECCEL_OK && result.values >= 1;
        if (done)
            engine_value(&result, 0, shared, curve->field_bytes);
        else
            engine_refused(provider, OPERATION_DERIVE, result.result);
        OPENSSL_cleanse(&result, sizeof result);
        return done;
    case OUTCOME_SOFTWARE:
        return engine_software(provider, OPERATION_DERIVE, software_derive(key, peer, cofactor, shared));
    default:
        return false;
    }
}

static void take_public(struct key *key, const struct eccel_result *result)
{
    engine_value(result, 0, key->x, key->curve->field_bytes);
    engine_value(result, 1, key->y, key->curve->field_bytes);
    key->has_public = true;
}

bool jobs_public(struct key *key)
{
    struct provider *provider = key->provider;
    struct eccel_result result;
    struct eccel_request request = {.op = ECCEL_OP_BASE_MUL,
                                    .flags = check_flag(provider),
                                    .options = provider->config.blind ? ECCEL_BLIND_IF_POSSIBLE : 0,
                                    .curve = key->curve->device,
                                    .operands = 1,
                                    .operand = {{key->d, key->curve->order_bytes}}};
    switch (engine_run(provider, key->curve, OPERATION_PUBLIC, false, &request, &result)) {
    case OUTCOME_DONE:
        if (result.result != ECCEL_OK || result.values != 2)
            return engine_refused(provider, OPERATION_PUBLIC, result.result);
        take_public(key, &result);
        return true;
    case OUTCOME_SOFTWARE:
        key->has_public = point_of_private(provider, key->curve, key->d, key->x, key->y);
        if (!key->has_public)
            RAISE(provider, REASON_SOFTWARE, "public key");
        return engine_software(provider, OPERATION_PUBLIC, key->has_public);
    default:
        return false;
    }
}
