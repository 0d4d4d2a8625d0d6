/* ECDH: the x coordinate of the shared point, or what the key derivation function of ANSI X9.63 makes of it.
   SPDX-License-Identifier: Apache-2.0 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "jobs.h"
#include "provider.h"

struct ecdh {
    struct provider *provider;
    struct key *key, *peer;
    int cofactor; /* 0, 1; -1: as the key says */
    bool use_kdf;
    char digest[32], properties[64];
    size_t length; /* of the derived key */
    uint8_t *info; /* user keying material */
    size_t info_length;
};

static OSSL_FUNC_keyexch_newctx_fn ecdh_new;
static OSSL_FUNC_keyexch_freectx_fn ecdh_free;
static OSSL_FUNC_keyexch_dupctx_fn ecdh_dup;
static OSSL_FUNC_keyexch_init_fn ecdh_init;
static OSSL_FUNC_keyexch_set_peer_fn ecdh_set_peer;
static OSSL_FUNC_keyexch_derive_fn ecdh_derive;
static OSSL_FUNC_keyexch_set_ctx_params_fn ecdh_set_params;
static OSSL_FUNC_keyexch_settable_ctx_params_fn ecdh_settable_params;
static OSSL_FUNC_keyexch_get_ctx_params_fn ecdh_get_params;
static OSSL_FUNC_keyexch_gettable_ctx_params_fn ecdh_gettable_params;

static void *ecdh_new(void *provider)
{
    struct ecdh *ecdh = provider_is_usable(provider) ? calloc(1, sizeof *ecdh) : NULL;
    if (ecdh != NULL) {
        ecdh->provider = provider;
        ecdh->cofactor = -1;
    }
    return ecdh;
}

static void ecdh_free(void *data)
{
    struct ecdh *ecdh = data;
    if (ecdh == NULL)
        return;
    key_release(ecdh->key);
    key_release(ecdh->peer);
    OPENSSL_clear_free(ecdh->info, ecdh->info_length);
    free(ecdh);
}

static void *ecdh_dup(void *data)
{
    const struct ecdh *ecdh = data;
    struct ecdh *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *ecdh;
    copy->key = key_hold(ecdh->key);
    copy->peer = key_hold(ecdh->peer);
    copy->info = ecdh->info != NULL ? OPENSSL_memdup(ecdh->info, ecdh->info_length) : NULL;
    if (ecdh->info != NULL && copy->info == NULL) {
        copy->info_length = 0;
        ecdh_free(copy);
        return NULL;
    }
    return copy;
}

static int ecdh_init(void *data, void *key, const OSSL_PARAM params[])
{
    struct ecdh *ecdh = data;
    const struct key *mine = key;
    if (mine == NULL || mine->curve == NULL || !mine->has_private) {
        RAISE(ecdh->provider, REASON_NO_PRIVATE_KEY, NULL);
        return 0;
    }
    key_hold(key);
    key_release(ecdh->key);
    ecdh->key = key;
    ecdh->cofactor = -1;
    ecdh->use_kdf = false;
    return ecdh_set_params(ecdh, params);
}

static int ecdh_set_peer(void *data, void *peer)
{
    struct ecdh *ecdh = data;
    const struct key *other = peer;
    if (ecdh->key == NULL || other == NULL || !curves_equal(ecdh->key->curve, other->curve)) {
        RAISE(ecdh->provider, REASON_GROUPS_DIFFER, NULL);
        return 0;
    }
    if (!other->has_public) {
        RAISE(ecdh->provider, REASON_NO_PUBLIC_KEY, NULL);
        return 0;
    }
    key_hold(peer);
    key_release(ecdh->peer);
    ecdh->peer = peer;
    return 1;
}

/* ---- derivation */

static bool run_kdf(struct ecdh *ecdh, const uint8_t *shared, size_t shared_length, uint8_t *secret)
{
    EVP_KDF *kdf = EVP_KDF_fetch(ecdh->provider->libctx, OSSL_KDF_NAME_X963KDF, NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_KDF_PARAM_DIGEST, ecdh->digest, strlen(ecdh->digest)),
        OSSL_PARAM_octet_string(OSSL_KDF_PARAM_KEY, (void *)shared, shared_length),
        OSSL_PARAM_octet_string(OSSL_KDF_PARAM_INFO, ecdh->info, ecdh->info_length),
        OSSL_PARAM_END,
    };
    bool done = context != NULL && EVP_KDF_derive(context, secret, ecdh->length, params) > 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    if (!done)
        RAISE(ecdh->provider, REASON_KDF, NULL);
    return done;
}

static int ecdh_derive(void *data, unsigned char *secret, size_t *length, size_t room)
{
    struct ecdh *ecdh = data;
    if (ecdh->key == NULL || ecdh->peer == NULL) {
        RAISE(ecdh->provider, REASON_NOT_INITIALISED, NULL);
        return 0;
    }
    size_t bytes = ecdh->key->curve->field_bytes, needed = ecdh->use_kdf ? ecdh->length : bytes;
    if (ecdh->use_kdf && (ecdh->length == 0 || ecdh->digest[0] == '\0')) {
        RAISE(ecdh->provider, REASON_KDF, "length and digest have to be set");
        return 0;
    }
    if (secret == NULL) {
        *length = needed;
        return 1;
    }
    if (room < needed) {
        RAISE(ecdh->provider, REASON_BUFFER, "%zu bytes, not %zu", room, needed);
        return 0;
    }
    uint8_t shared[NUMBER_BYTES];
    bool cofactor = ecdh->cofactor >= 0 ? ecdh->cofactor > 0 : ecdh->key->cofactor;
    bool done = jobs_derive(ecdh->key, ecdh->peer, cofactor, shared);
    if (done && ecdh->use_kdf)
        done = run_kdf(ecdh, shared, bytes, secret);
    else if (done)
        memcpy(secret, shared, bytes);
    OPENSSL_cleanse(shared, sizeof shared);
    *length = done ? needed : 0;
    return done;
}

/* ---- parameters */

static bool set_text(const OSSL_PARAM params[], const char *name, char *text, size_t size)
{
    const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, name);
    return param == NULL || OSSL_PARAM_get_utf8_string(param, &text, size);
}

static int ecdh_set_params(void *data, const OSSL_PARAM params[])
{
    struct ecdh *ecdh = data;
    const OSSL_PARAM *param;
    if (params == NULL)
        return 1;
    if ((param = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE)) != NULL) {
        int mode;
        if (!OSSL_PARAM_get_int(param, &mode) || mode < -1 || mode > 1)
            return 0;
        ecdh->cofactor = mode;
    }
    if (OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_TYPE) != NULL) {
        char kdf[32];
        if (!set_text(params, OSSL_EXCHANGE_PARAM_KDF_TYPE, kdf, sizeof kdf) ||
            (kdf[0] != '\0' && OPENSSL_strcasecmp(kdf, OSSL_KDF_NAME_X963KDF) != 0)) {
            RAISE(ecdh->provider, REASON_KDF, "only %s", OSSL_KDF_NAME_X963KDF);
            return 0;
        }
        ecdh->use_kdf = kdf[0] != '\0';
    }
    if (!set_text(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST, ecdh->digest, sizeof ecdh->digest) ||
        !set_text(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS, ecdh->properties, sizeof ecdh->properties))
        return 0;
    if (ecdh->digest[0] != '\0' && digests_find(ecdh->provider, ecdh->digest) == NULL)
        return 0;
    if ((param = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)) != NULL &&
        !OSSL_PARAM_get_size_t(param, &ecdh->length))
        return 0;
    if ((param = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_UKM)) != NULL) {
        void *info = NULL;
        size_t length = 0;
        if (param->data != NULL && param->data_size > 0 && !OSSL_PARAM_get_octet_string(param, &info, 0, &length))
            return 0;
        OPENSSL_clear_free(ecdh->info, ecdh->info_length);
        ecdh->info = info;
        ecdh->info_length = length;
    }
    return 1;
}

static const OSSL_PARAM *ecdh_settable_params(void *ecdh, void *provider)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS, NULL, 0),
        OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
        OSSL_PARAM_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ecdh;
    (void)provider;
    return settable;
}

static int ecdh_get_params(void *data, OSSL_PARAM params[])
{
    struct ecdh *ecdh = data;
    OSSL_PARAM *param;
    return ((param = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE)) == NULL ||
            OSSL_PARAM_set_int(param, ecdh->cofactor >= 0 ? ecdh->cofactor
                                                          : ecdh->key != NULL && ecdh->key->cofactor)) &&
           ((param = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_TYPE)) == NULL ||
            OSSL_PARAM_set_utf8_string(param, ecdh->use_kdf ? OSSL_KDF_NAME_X963KDF : "")) &&
           ((param = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST)) == NULL ||
            OSSL_PARAM_set_utf8_string(param, ecdh->digest)) &&
           ((param = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)) == NULL ||
            OSSL_PARAM_set_size_t(param, ecdh->length)) &&
           ((param = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_UKM)) == NULL ||
            OSSL_PARAM_set_octet_ptr(param, ecdh->info, ecdh->info_length));
}

static const OSSL_PARAM *ecdh_gettable_params(void *ecdh, void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
        OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
        OSSL_PARAM_DEFN(OSSL_EXCHANGE_PARAM_KDF_UKM, OSSL_PARAM_OCTET_PTR, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ecdh;
    (void)provider;
    return gettable;
}

#define ENTRY(name, function) {OSSL_FUNC_KEYEXCH_##name, (void (*)(void))function}

const OSSL_DISPATCH ecdh_functions[] = {
    ENTRY(NEWCTX, ecdh_new),
    ENTRY(FREECTX, ecdh_free),
    ENTRY(DUPCTX, ecdh_dup),
    ENTRY(INIT, ecdh_init),
    ENTRY(SET_PEER, ecdh_set_peer),
    ENTRY(DERIVE, ecdh_derive),
    ENTRY(SET_CTX_PARAMS, ecdh_set_params),
    ENTRY(SETTABLE_CTX_PARAMS, ecdh_settable_params),
    ENTRY(GET_CTX_PARAMS, ecdh_get_params),
    ENTRY(GETTABLE_CTX_PARAMS, ecdh_gettable_params),
    {0, NULL},
};
