/* Key management for EC: objects, import, export, comparison. Generation is in keygen.c, parameters in key_params.c.
   SPDX-License-Identifier: Apache-2.0

   Keys that other providers made arrive by import, and leave by export for OpenSSL's encoders. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <string.h>

#include "errors.h"
#include "key.h"
#include "key_params.h"
#include "keygen.h"
#include "provider.h"

#define PARAMETERS OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS

static OSSL_FUNC_keymgmt_new_fn keymgmt_new;
static OSSL_FUNC_keymgmt_free_fn keymgmt_free;
static OSSL_FUNC_keymgmt_load_fn keymgmt_load;
static OSSL_FUNC_keymgmt_has_fn keymgmt_has;
static OSSL_FUNC_keymgmt_match_fn keymgmt_match;
static OSSL_FUNC_keymgmt_validate_fn keymgmt_validate;
static OSSL_FUNC_keymgmt_import_fn keymgmt_import;
static OSSL_FUNC_keymgmt_export_fn keymgmt_export;
static OSSL_FUNC_keymgmt_dup_fn keymgmt_dup;
static OSSL_FUNC_keymgmt_query_operation_name_fn keymgmt_query_operation_name;

static void *keymgmt_new(void *provider)
{
    return key_new(provider);
}

static void keymgmt_free(void *key)
{
    key_release(key);
}

/* Takes over the key that the store made: the reference is a pointer to it. */
static void *keymgmt_load(const void *reference, size_t size)
{
    struct key *key = NULL;
    if (size == sizeof key) {
        memcpy(&key, reference, sizeof key);
        memset(*(struct key **const *)&reference, 0, sizeof key);
    }
    return key;
}

static void *keymgmt_dup(const void *key, int selection)
{
    return key_copy(key, selection);
}

static const char *keymgmt_query_operation_name(int operation)
{
    return operation == OSSL_OP_KEYEXCH ? "ECDH" : operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL;
}

static int keymgmt_has(const void *data, int selection)
{
    const struct key *key = data; /* NULL for a key that has not got anything yet */
    return key != NULL && !((selection & PARAMETERS) != 0 && key->curve == NULL) &&
           !((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && !key->has_public) &&
           !((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && !key->has_private);
}

/* Keys are equal if their public parts are; the private parts decide only where a public one is missing. */
static int keymgmt_match(const void *data1, const void *data2, int selection)
{
    const struct key *a = data1, *b = data2;
    if (a == NULL || b == NULL)
        return 0;
    if (!curves_equal(a->curve, b->curve))
        return (selection & (PARAMETERS | OSSL_KEYMGMT_SELECT_KEYPAIR)) == 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return 1;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && a->has_public && b->has_public)
        return memcmp(a->x, b->x, a->curve->field_bytes) == 0 && memcmp(a->y, b->y, a->curve->field_bytes) == 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && a->has_private && b->has_private && !a->in_slot &&
           !b->in_slot && CRYPTO_memcmp(a->d, b->d, a->curve->order_bytes) == 0;
}

static bool validate_private(const struct key *key)
{
    BIGNUM *d = BN_secure_new();
    bool valid = key->in_slot ||
                 (d != NULL && BN_bin2bn(key->d, (int)key->curve->order_bytes, d) != NULL && !BN_is_zero(d) &&
                  BN_cmp(d, EC_GROUP_get0_order(key->curve->group)) < 0);
    BN_clear_free(d);
    return valid;
}

static bool validate_pair(const struct key *key)
{
    uint8_t x[NUMBER_BYTES], y[NUMBER_BYTES];
    return key->in_slot || (point_of_private(key->provider, key->curve, key->d, x, y) &&
                            memcmp(x, key->x, key->curve->field_bytes) == 0 &&
                            memcmp(y, key->y, key->curve->field_bytes) == 0);
}

/* In software: a check that depends on the device that made the key would tell less. */
static int keymgmt_validate(const void *data, int selection, int check_type)
{
    const struct key *key = data;
    (void)check_type;
    if ((selection & (PARAMETERS | OSSL_KEYMGMT_SELECT_KEYPAIR)) == 0)
        return 1;
    if (!keymgmt_has(key, selection) || key->curve == NULL)
        return 0;
    if ((selection & PARAMETERS) != 0) {
        bool named = strncmp(key->group_check, "named", 5) == 0;
        bool nist = strcmp(key->group_check, "named-nist") == 0;
        BN_CTX *numbers = BN_CTX_new_ex(key->provider->libctx);
        bool valid = numbers != NULL && (named ? EC_GROUP_check_named_curve(key->curve->group, nist, numbers) > 0
                                               : EC_GROUP_check(key->curve->group, numbers) == 1);
        BN_CTX_free(numbers);
        if (!valid)
            return 0;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 &&
        !point_is_valid(key->provider, key->curve, key->x, key->y)) {
        RAISE(key->provider, REASON_BAD_POINT, NULL);
        return 0;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && !validate_private(key)) {
        RAISE(key->provider, REASON_BAD_PRIVATE_KEY, NULL);
        return 0;
    }
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR || validate_pair(key);
}

static int keymgmt_import(void *data, int selection, const OSSL_PARAM params[])
{
    struct key *key = data;
    bool explicit;
    if ((selection & PARAMETERS) == 0)
        return 0;
    struct curve *curve = curves_from_params(key->provider, params, &explicit);
    if (curve == NULL)
        return 0;
    key_set_curve(key, curve, explicit);
    const OSSL_PARAM *public_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
    const OSSL_PARAM *private_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0) {
        if (public_key != NULL && (public_key->data_type != OSSL_PARAM_OCTET_STRING ||
                                   !key_set_public(key, public_key->data, public_key->data_size)))
            return 0;
        if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && private_key != NULL &&
            !(key_set_private(key, private_key) && key_complete(key)))
            return 0;
        if (!key->has_public && !key->has_private) {
            RAISE(key->provider, REASON_NO_PUBLIC_KEY, NULL);
            return 0;
        }
    }
    return key_params_flags(key, params);
}

static int keymgmt_export(void *data, int selection, OSSL_CALLBACK *callback, void *argument)
{
    const struct key *key = data;
    struct params params;
    params_init(&params);
    int done = key != NULL && key_to_params(key, selection, &params) && callback(params.list, argument);
    params_wipe(&params);
    return done;
}

#define ENTRY(name, function) {OSSL_FUNC_KEYMGMT_##name, (void (*)(void))function}

const OSSL_DISPATCH keymgmt_functions[] = {
    ENTRY(NEW, keymgmt_new),
    ENTRY(FREE, keymgmt_free),
    ENTRY(LOAD, keymgmt_load),
    ENTRY(HAS, keymgmt_has),
    ENTRY(MATCH, keymgmt_match),
    ENTRY(VALIDATE, keymgmt_validate),
    ENTRY(IMPORT, keymgmt_import),
    ENTRY(IMPORT_TYPES, key_params_types),
    ENTRY(EXPORT, keymgmt_export),
    ENTRY(EXPORT_TYPES, key_params_types),
    ENTRY(DUP, keymgmt_dup),
    ENTRY(GET_PARAMS, key_params_get),
    ENTRY(GETTABLE_PARAMS, key_params_gettable),
    ENTRY(SET_PARAMS, key_params_set),
    ENTRY(SETTABLE_PARAMS, key_params_settable),
    ENTRY(QUERY_OPERATION_NAME, keymgmt_query_operation_name),
    ENTRY(GEN_INIT, keygen_init),
    ENTRY(GEN_SET_TEMPLATE, keygen_set_template),
    ENTRY(GEN_SET_PARAMS, keygen_set_params),
    ENTRY(GEN_SETTABLE_PARAMS, keygen_settable_params),
    ENTRY(GEN, keygen_generate),
    ENTRY(GEN_CLEANUP, keygen_cleanup),
    {0, NULL},
};
