/* ECDSA: signatures and verification, of hashes and of messages.
   SPDX-License-Identifier: Apache-2.0

   The path of a signature is short on purpose: hash, job, DER. libssl uses the one-shot functions DIGEST_SIGN and
   DIGEST_VERIFY; without DUPCTX, programs that use update and final would fail. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "jobs.h"
#include "provider.h"
#include "signature.h"

struct ecdsa {
    struct provider *provider;
    struct key *key;
    const struct digest *digest; /* NULL: any hash is signed as it is */
    EVP_MD_CTX *hashing;         /* of the functions for messages */
    bool finished;               /* `hashing` has given its hash, and has to begin again */
    bool for_message;            /* the digest cannot be changed any more */
};

static OSSL_FUNC_signature_newctx_fn ecdsa_new;
static OSSL_FUNC_signature_freectx_fn ecdsa_free;
static OSSL_FUNC_signature_dupctx_fn ecdsa_dup;
static OSSL_FUNC_signature_sign_init_fn ecdsa_sign_init;
static OSSL_FUNC_signature_sign_fn ecdsa_sign;
static OSSL_FUNC_signature_verify_init_fn ecdsa_verify_init;
static OSSL_FUNC_signature_verify_fn ecdsa_verify;
static OSSL_FUNC_signature_digest_sign_init_fn ecdsa_digest_sign_init;
static OSSL_FUNC_signature_digest_sign_update_fn ecdsa_update;
static OSSL_FUNC_signature_digest_sign_final_fn ecdsa_digest_sign_final;
static OSSL_FUNC_signature_digest_sign_fn ecdsa_digest_sign;
static OSSL_FUNC_signature_digest_verify_init_fn ecdsa_digest_verify_init;
static OSSL_FUNC_signature_digest_verify_final_fn ecdsa_digest_verify_final;
static OSSL_FUNC_signature_digest_verify_fn ecdsa_digest_verify;
static OSSL_FUNC_signature_get_ctx_params_fn ecdsa_get_params;
static OSSL_FUNC_signature_gettable_ctx_params_fn ecdsa_gettable_params;
static OSSL_FUNC_signature_set_ctx_params_fn ecdsa_set_params;
static OSSL_FUNC_signature_settable_ctx_params_fn ecdsa_settable_params;

static void *ecdsa_new(void *provider, const char *properties)
{
    struct ecdsa *ecdsa = provider_is_usable(provider) ? calloc(1, sizeof *ecdsa) : NULL;
    (void)properties;
    if (ecdsa != NULL)
        ecdsa->provider = provider;
    return ecdsa;
}

static void ecdsa_free(void *data)
{
    struct ecdsa *ecdsa = data;
    if (ecdsa == NULL)
        return;
    EVP_MD_CTX_free(ecdsa->hashing);
    key_release(ecdsa->key);
    free(ecdsa);
}

static void *ecdsa_dup(void *data)
{
    const struct ecdsa *ecdsa = data;
    struct ecdsa *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *ecdsa;
    copy->key = key_hold(ecdsa->key);
    copy->hashing = NULL;
    if (ecdsa->hashing != NULL) {
        copy->hashing = EVP_MD_CTX_new();
        if (copy->hashing == NULL || !EVP_MD_CTX_copy_ex(copy->hashing, ecdsa->hashing)) {
            ecdsa_free(copy);
            return NULL;
        }
    }
    return copy;
}

static bool check_hash(const struct ecdsa *ecdsa, size_t length)
{
    if (ecdsa->digest == NULL || length == ecdsa->digest->size)
        return true;
    RAISE(ecdsa->provider, REASON_DIGEST_LENGTH, "%zu bytes, not %zu", length, ecdsa->digest->size);
    return false;
}

/* ---- OpenSSL's functions for hashes */

static int init(struct ecdsa *ecdsa, struct key *key, const OSSL_PARAM params[])
{
    if (key == NULL && ecdsa->key == NULL) {
        RAISE(ecdsa->provider, REASON_NOT_INITIALISED, NULL);
        return 0;
    }
    if (key != NULL) {
        if (key->curve == NULL) {
            RAISE(ecdsa->provider, REASON_NO_GROUP, NULL);
            return 0;
        }
        key_hold(key);
        key_release(ecdsa->key);
        ecdsa->key = key;
    }
    ecdsa->for_message = false;
    return ecdsa_set_params(ecdsa, params);
}

static int ecdsa_sign_init(void *data, void *key, const OSSL_PARAM params[])
{
    struct ecdsa *ecdsa = data;
    if (!init(ecdsa, key, params))
        return 0;
    if (!ecdsa->key->has_private)
        RAISE(ecdsa->provider, REASON_NO_PRIVATE_KEY, NULL);
    return ecdsa->key->has_private;
}

static int ecdsa_verify_init(void *data, void *key, const OSSL_PARAM params[])
{
    return init(data, key, params);
}

static int ecdsa_sign(void *data, unsigned char *signature, size_t *length, size_t room, const unsigned char *hash,
                      size_t hash_length)
{
    struct ecdsa *ecdsa = data;
    if (signature == NULL) {
        *length = signature_size(ecdsa->key->curve->order_bytes, ecdsa->key->curve->order_bits);
        return 1;
    }
    return check_hash(ecdsa, hash_length) && jobs_sign(ecdsa->key, hash, hash_length, signature, room, length);
}

static int ecdsa_verify(void *data, const unsigned char *signature, size_t length, const unsigned char *hash,
                        size_t hash_length)
{
    struct ecdsa *ecdsa = data;
    return check_hash(ecdsa, hash_length) ? jobs_verify(ecdsa->key, hash, hash_length, signature, length) : 0;
}

/* ---- OpenSSL's functions for messages */

static int digest_init(struct ecdsa *ecdsa, const char *digest, struct key *key, const OSSL_PARAM params[])
{
    if (!init(ecdsa, key, params))
        return 0;
    if (digest != NULL && *digest != '\0' && (ecdsa->digest = digests_find(ecdsa->provider, digest)) == NULL)
        return 0;
    if (ecdsa->digest == NULL) {
        RAISE(ecdsa->provider, REASON_DIGEST, "none is set");
        return 0;
    }
    if (ecdsa->hashing == NULL)
        ecdsa->hashing = EVP_MD_CTX_new();
    ecdsa->for_message = true;
    ecdsa->finished = false;
    return ecdsa->hashing != NULL && EVP_DigestInit_ex2(ecdsa->hashing, ecdsa->digest->md, params);
}

static int ecdsa_digest_sign_init(void *data, const char *digest, void *key, const OSSL_PARAM params[])
{
    struct ecdsa *ecdsa = data;
    if (!digest_init(ecdsa, digest, key, params))
        return 0;
    if (!ecdsa->key->has_private)
        RAISE(ecdsa->provider, REASON_NO_PRIVATE_KEY, NULL);
    return ecdsa->key->has_private;
}

static int ecdsa_digest_verify_init(void *data, const char *digest, void *key, const OSSL_PARAM params[])
{
    return digest_init(data, digest, key, params);
}

static int ecdsa_update(void *data, const unsigned char *message, size_t length)
{
    struct ecdsa *ecdsa = data;
    return ecdsa->hashing != NULL && EVP_DigestUpdate(ecdsa->hashing, message, length);
}

static bool finish(struct ecdsa *ecdsa, uint8_t *hash, unsigned *length)
{
    if (ecdsa->hashing == NULL || !ecdsa->for_message) {
        RAISE(ecdsa->provider, REASON_NOT_INITIALISED, NULL);
        return false;
    }
    ecdsa->finished = true;
    return EVP_DigestFinal_ex(ecdsa->hashing, hash, length);
}

static int ecdsa_digest_sign_final(void *data, unsigned char *signature, size_t *length, size_t room)
{
    struct ecdsa *ecdsa = data;
    uint8_t hash[EVP_MAX_MD_SIZE];
    unsigned hash_length;
    if (signature == NULL)
        return ecdsa_sign(data, NULL, length, 0, NULL, 0);
    return finish(ecdsa, hash, &hash_length) && jobs_sign(ecdsa->key, hash, hash_length, signature, room, length);
}

static int ecdsa_digest_verify_final(void *data, const unsigned char *signature, size_t length)
{
    struct ecdsa *ecdsa = data;
    uint8_t hash[EVP_MAX_MD_SIZE];
    unsigned hash_length;
    return finish(ecdsa, hash, &hash_length) ? jobs_verify(ecdsa->key, hash, hash_length, signature, length) : -1;
}

/* One call for a message. The context may be used again, with the same key and digest. */
static bool hash_message(struct ecdsa *ecdsa, const uint8_t *message, size_t length)
{
    if (ecdsa->finished && !EVP_DigestInit_ex2(ecdsa->hashing, ecdsa->digest->md, NULL))
        return false;
    ecdsa->finished = false;
    return ecdsa_update(ecdsa, message, length);
}

static int ecdsa_digest_sign(void *data, unsigned char *signature, size_t *length, size_t room,
                             const unsigned char *message, size_t message_length)
{
    if (signature == NULL)
        return ecdsa_sign(data, NULL, length, 0, NULL, 0);
    return hash_message(data, message, message_length) && ecdsa_digest_sign_final(data, signature, length, room);
}

static int ecdsa_digest_verify(void *data, const unsigned char *signature, size_t length, const unsigned char *message,
                               size_t message_length)
{
    return hash_message(data, message, message_length) ? ecdsa_digest_verify_final(data, signature, length) : -1;
}

/* ---- parameters */

static int ecdsa_get_params(void *data, OSSL_PARAM params[])
{
    const struct ecdsa *ecdsa = data;
    const char *name = ecdsa->digest != NULL ? EVP_MD_get0_name(ecdsa->digest->md) : "";
    OSSL_PARAM *param = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    size_t length = 0;
    const uint8_t *identifier = param != NULL ? signature_algorithm(name, &length) : NULL;
    if (param != NULL && !OSSL_PARAM_set_octet_string(param, identifier, length))
        return 0;
    param = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE);
    if (param != NULL && !OSSL_PARAM_set_size_t(param, ecdsa->digest != NULL ? ecdsa->digest->size : 0))
        return 0;
    param = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST);
    return param == NULL || OSSL_PARAM_set_utf8_string(param, name);
}

static const OSSL_PARAM *ecdsa_gettable_params(void *ecdsa, void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
        OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ecdsa;
    (void)provider;
    return gettable;
}

static int ecdsa_set_params(void *data, const OSSL_PARAM params[])
{
    struct ecdsa *ecdsa = data;
    const OSSL_PARAM *param = params != NULL ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST) : NULL;
    const char *name;
    if (param != NULL) {
        if (!OSSL_PARAM_get_utf8_string_ptr(param, &name))
            return 0;
        const struct digest *digest = digests_find(ecdsa->provider, name);
        if (digest == NULL || (ecdsa->for_message && !EVP_MD_is_a(ecdsa->digest->md, name)))
            return 0;
        ecdsa->digest = digest;
    }
    param = params != NULL ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE) : NULL;
    size_t size;
    return param == NULL ||
           (OSSL_PARAM_get_size_t(param, &size) && (ecdsa->digest == NULL || size == ecdsa->digest->size));
}

static const OSSL_PARAM *ecdsa_settable_params(void *ecdsa, void *provider)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PROPERTIES, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)ecdsa;
    (void)provider;
    return settable;
}

#define ENTRY(name, function) {OSSL_FUNC_SIGNATURE_##name, (void (*)(void))function}

const OSSL_DISPATCH ecdsa_functions[] = {
    ENTRY(NEWCTX, ecdsa_new),
    ENTRY(FREECTX, ecdsa_free),
    ENTRY(DUPCTX, ecdsa_dup),
    ENTRY(SIGN_INIT, ecdsa_sign_init),
    ENTRY(SIGN, ecdsa_sign),
    ENTRY(VERIFY_INIT, ecdsa_verify_init),
    ENTRY(VERIFY, ecdsa_verify),
    ENTRY(DIGEST_SIGN_INIT, ecdsa_digest_sign_init),
    ENTRY(DIGEST_SIGN_UPDATE, ecdsa_update),
    ENTRY(DIGEST_SIGN_FINAL, ecdsa_digest_sign_final),
    ENTRY(DIGEST_SIGN, ecdsa_digest_sign),
    ENTRY(DIGEST_VERIFY_INIT, ecdsa_digest_verify_init),
    ENTRY(DIGEST_VERIFY_UPDATE, ecdsa_update),
    ENTRY(DIGEST_VERIFY_FINAL, ecdsa_digest_verify_final),
    ENTRY(DIGEST_VERIFY, ecdsa_digest_verify),
    ENTRY(GET_CTX_PARAMS, ecdsa_get_params),
    ENTRY(GETTABLE_CTX_PARAMS, ecdsa_gettable_params),
    ENTRY(SET_CTX_PARAMS, ecdsa_set_params),
    ENTRY(SETTABLE_CTX_PARAMS, ecdsa_settable_params),
    {0, NULL},
};
