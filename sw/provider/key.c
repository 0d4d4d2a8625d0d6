/* The key object.
   SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <string.h>

#include "errors.h"
#include "provider.h"

static void drop_software(struct key *key)
{
    EVP_PKEY_free(atomic_exchange(&key->software, NULL));
}

struct key *key_new(struct provider *provider)
{
    struct key *key = OPENSSL_secure_zalloc(sizeof *key);
    if (key == NULL) {
        RAISE(provider, REASON_MEMORY, NULL);
        return NULL;
    }
    key->provider = provider;
    key->references = 1;
    key->form = POINT_CONVERSION_UNCOMPRESSED;
    return key;
}

struct key *key_hold(struct key *key)
{
    if (key != NULL)
        atomic_fetch_add_explicit(&key->references, 1, memory_order_relaxed);
    return key;
}

void key_release(struct key *key)
{
    if (key == NULL || atomic_fetch_sub_explicit(&key->references, 1, memory_order_acq_rel) != 1)
        return;
    drop_software(key);
    curves_release(key->curve);
    OPENSSL_secure_clear_free(key, sizeof *key);
}

struct key *key_copy(const struct key *key, int selection)
{
    struct key *copy = key_new(key->provider);
    if (copy == NULL)
        return NULL;
    if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0) {
        copy->curve = curves_hold(key->curve);
        copy->explicit_encoding = key->explicit_encoding;
        copy->from_explicit = key->from_explicit;
        copy->form = key->form;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_public && copy->curve != NULL) {
        copy->has_public = true;
        memcpy(copy->x, key->x, sizeof key->x);
        memcpy(copy->y, key->y, sizeof key->y);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_private && copy->curve != NULL) {
        copy->has_private = true;
        copy->in_slot = key->in_slot;
        memcpy(copy->d, key->d, sizeof key->d);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS) != 0) {
        copy->cofactor = key->cofactor;
        copy->omit_public = key->omit_public;
        memcpy(copy->group_check, key->group_check, sizeof key->group_check);
    }
    return copy;
}

void key_set_curve(struct key *key, struct curve *curve, bool explicit)
{
    if (!curves_equal(key->curve, curve)) {
        key->has_public = key->has_private = key->in_slot = false;
        OPENSSL_cleanse(key->d, sizeof key->d);
    }
    curves_release(key->curve);
    key->curve = curve;
    key->from_explicit = explicit;
    /* A few of OpenSSL's named curves have no object identifier. */
    key->explicit_encoding = explicit || EC_GROUP_get_asn1_flag(curve->group) == OPENSSL_EC_EXPLICIT_CURVE;
    drop_software(key);
}

bool key_set_public(struct key *key, const uint8_t *octets, size_t length)
{
    if (key->curve == NULL) {
        RAISE(key->provider, REASON_NO_GROUP, NULL);
        return false;
    }
    if (!point_decode(key->provider, key->curve, octets, length, key->x, key->y, &key->form))
        return false;
    key->has_public = true;
    drop_software(key);
    return true;
}

bool key_set_private(struct key *key, const OSSL_PARAM *number)
{
    bool done = false;
    BIGNUM *d = BN_secure_new();
    if (key->curve == NULL)
        RAISE(key->provider, REASON_NO_GROUP, NULL);
    else if (d == NULL)
        RAISE(key->provider, REASON_MEMORY, NULL);
    else if (!OSSL_PARAM_get_BN(number, &d) || BN_is_negative(d) || BN_is_zero(d) ||
             BN_cmp(d, EC_GROUP_get0_order(key->curve->group)) >= 0 ||
             BN_bn2binpad(d, key->d, (int)key->curve->order_bytes) < 0)
        RAISE(key->provider, REASON_BAD_PRIVATE_KEY, NULL);
    else
        done = true;
    BN_clear_free(d);
    key->in_slot = false;
    key->has_private = done;
    drop_software(key);
    return done;
}

bool key_complete(struct key *key)
{
    if (key->has_public)
        return true;
    if (!key->has_private || key->in_slot ||
        !point_of_private(key->provider, key->curve, key->d, key->x, key->y)) {
        RAISE(key->provider, REASON_NO_PUBLIC_KEY, NULL);
        return false;
    }
    key->has_public = true;
    return true;
}

static const char *form_name(point_conversion_form_t form)
{
    return form == POINT_CONVERSION_COMPRESSED ? OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_COMPRESSED
           : form == POINT_CONVERSION_HYBRID   ? OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_HYBRID
                                               : OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED;
}

bool key_to_params(const struct key *key, int selection, struct params *params)
{
    const struct curve *curve = key->curve;
    if (curve == NULL) {
        RAISE(key->provider, REASON_NO_GROUP, NULL);
        return false;
    }
    bool want_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_private;
    if (want_private && key->in_slot) {
        RAISE(key->provider, REASON_KEY_IN_SLOT, NULL);
        return false;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0) {
        if (!curves_to_params(curve, params))
            return false;
        params_utf8(params, OSSL_PKEY_PARAM_EC_ENCODING,
                    key->explicit_encoding ? OSSL_PKEY_EC_ENCODING_EXPLICIT : OSSL_PKEY_EC_ENCODING_GROUP);
        params_int(params, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, key->from_explicit);
    }
    params_utf8(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, form_name(key->form));
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 && key->has_public) {
        uint8_t octets[POINT_BYTES];
        size_t length = point_encode(key->provider, curve, key->x, key->y, key->form, octets);
        if (length == 0)
            return false;
        params_octets(params, OSSL_PKEY_PARAM_PUB_KEY, octets, length);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS) != 0) {
        params_int(params, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, key->cofactor);
        params_int(params, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, !key->omit_public);
        if (key->group_check[0] != '\0')
            params_utf8(params, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, key->group_check);
    }
    if (want_private)
        params_number(params, OSSL_PKEY_PARAM_PRIV_KEY, key->d, curve->order_bytes);
    return !params->overflow;
}

EVP_PKEY *key_software(struct key *key)
{
    EVP_PKEY *found = key->software;
    if (found != NULL)
        return found;
    int selection = key->has_private && !key->in_slot ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(key->provider->libctx, "EC", NULL);
    struct params params;
    EVP_PKEY *made = NULL;
    params_init(&params);
    if (context == NULL || !key_to_params(key, selection, &params) || EVP_PKEY_fromdata_init(context) <= 0 ||
        EVP_PKEY_fromdata(context, &made, selection, params.list) <= 0) {
        RAISE(key->provider, REASON_SOFTWARE, "the key cannot be brought into the software provider");
    } else if (!atomic_compare_exchange_strong(&key->software, &found, made)) {
        EVP_PKEY_free(made); /* another thread was faster */
        made = found;
    }
    params_wipe(&params);
    EVP_PKEY_CTX_free(context);
    return made;
}
