/* Calls of the software provider in the private library context.
   SPDX-License-Identifier: Apache-2.0 */
#include "software.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "errors.h"
#include "provider.h"

static EVP_PKEY_CTX *context_of(struct key *key)
{
    EVP_PKEY *software = key_software(key);
    return software != NULL ? EVP_PKEY_CTX_new_from_pkey(key->provider->libctx, software, NULL) : NULL;
}

bool software_sign(struct key *key, const uint8_t *digest, size_t digest_length, uint8_t *signature, size_t room,
                   size_t *length)
{
    EVP_PKEY_CTX *context = context_of(key);
    *length = room;
    bool done = context != NULL && EVP_PKEY_sign_init(context) > 0 &&
                EVP_PKEY_sign(context, signature, length, digest, digest_length) > 0;
    EVP_PKEY_CTX_free(context);
    if (!done)
        RAISE(key->provider, REASON_SOFTWARE, "signature");
    return done;
}

int software_verify(struct key *key, const uint8_t *digest, size_t digest_length, const uint8_t *signature,
                    size_t length)
{
    EVP_PKEY_CTX *context = context_of(key);
    int result = -1;
    if (context != NULL && EVP_PKEY_verify_init(context) > 0) {
        ERR_set_mark();
        result = EVP_PKEY_verify(context, signature, length, digest, digest_length);
        ERR_pop_to_mark();
        result = result > 0 ? 1 : 0;
    }
    EVP_PKEY_CTX_free(context);
    if (result < 0)
        RAISE(key->provider, REASON_SOFTWARE, "verification");
    return result;
}

bool software_derive(struct key *key, struct key *peer, bool cofactor, uint8_t *shared)
{
    EVP_PKEY_CTX *context = context_of(key);
    EVP_PKEY *other = key_software(peer);
    int mode = cofactor;
    OSSL_PARAM params[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, &mode), OSSL_PARAM_END};
    size_t length = key->curve->field_bytes;
    bool done = context != NULL && other != NULL && EVP_PKEY_derive_init_ex(context, params) > 0 &&
                EVP_PKEY_derive_set_peer_ex(context, other, 0) > 0 && EVP_PKEY_derive(context, shared, &length) > 0 &&
                length == key->curve->field_bytes;
    EVP_PKEY_CTX_free(context);
    if (!done)
        RAISE(key->provider, REASON_SOFTWARE, "key agreement");
    return done;
}
