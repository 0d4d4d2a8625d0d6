/* Generates keys.
   SPDX-License-Identifier: Apache-2.0

   The private key is drawn on the host, from OpenSSL's generator for private values, and the device computes the public
   one; or the device draws the key itself and keeps it. */
#include "keygen.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <stdlib.h>

#include "errors.h"
#include "jobs.h"
#include "key_params.h"
#include "provider.h"
#include "slot.h"

struct generation {
    struct provider *provider;
    int selection;
    struct key *key; /* holds the parameters */
    bool in_slot;
};

void *keygen_init(void *data, int selection, const OSSL_PARAM params[])
{
    struct generation *generation = provider_is_usable(data) ? calloc(1, sizeof *generation) : NULL;
    if (generation == NULL)
        return NULL;
    generation->provider = data;
    generation->selection = selection;
    generation->key = key_new(data);
    if (generation->key == NULL || !keygen_set_params(generation, params)) {
        keygen_cleanup(generation);
        return NULL;
    }
    return generation;
}

void keygen_cleanup(void *data)
{
    struct generation *generation = data;
    if (generation != NULL)
        key_release(generation->key);
    free(generation);
}

int keygen_set_template(void *data, void *template)
{
    struct generation *generation = data;
    struct key *copy = key_copy(template, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS);
    if (copy == NULL || copy->curve == NULL) {
        key_release(copy);
        RAISE(generation->provider, REASON_NO_GROUP, NULL);
        return 0;
    }
    key_release(generation->key);
    generation->key = copy;
    return 1;
}

int keygen_set_params(void *data, const OSSL_PARAM params[])
{
    struct generation *generation = data;
    const OSSL_PARAM *slot;
    int number;
    bool explicit;
    if (params == NULL)
        return 1;
    if (OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME) != NULL ||
        OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_P) != NULL) {
        struct curve *curve = curves_from_params(generation->provider, params, &explicit);
        if (curve == NULL)
            return 0;
        key_set_curve(generation->key, curve, explicit);
        generation->key->from_explicit = false;
    }
    if ((slot = OSSL_PARAM_locate_const(params, PARAM_SLOT)) != NULL) {
        if (!OSSL_PARAM_get_int(slot, &number))
            return 0;
        generation->in_slot = number != 0;
    }
    return key_params_flags(generation->key, params);
}

const OSSL_PARAM *keygen_settable_params(void *generation, void *provider)
{
    static const OSSL_PARAM settable[] = {
        KEY_PARAMS_OF_GROUP,
        OSSL_PARAM_int(PARAM_SLOT, NULL),
        OSSL_PARAM_END,
    };
    (void)generation;
    (void)provider;
    return settable;
}

/* 1 <= d < n, by drawing until it is in the range. */
static bool draw_private(struct key *key)
{
    const struct curve *curve = key->curve;
    BIGNUM *d = BN_secure_new();
    BN_CTX *numbers = BN_CTX_secure_new_ex(key->provider->libctx);
    bool done = false;
    if (d != NULL && numbers != NULL) {
        do {
            done = BN_priv_rand_range_ex(d, EC_GROUP_get0_order(curve->group), 0, numbers) > 0;
        } while (done && BN_is_zero(d));
        done = done && BN_bn2binpad(d, key->d, (int)curve->order_bytes) >= 0;
    }
    BN_clear_free(d);
    BN_CTX_free(numbers);
    key->has_private = done;
    return done;
}

void *keygen_generate(void *data, OSSL_CALLBACK *progress, void *argument)
{
    struct generation *generation = data;
    (void)progress;
    (void)argument;
    if (generation->key->curve == NULL) {
        RAISE(generation->provider, REASON_NO_GROUP, NULL);
        return NULL;
    }
    struct key *key = key_copy(generation->key, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS);
    if (key == NULL || (generation->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return key;
    if (generation->in_slot ? slot_generate(key, SLOT_USE_ALL) : draw_private(key) && jobs_public(key))
        return key;
    key_release(key);
    return NULL;
}
