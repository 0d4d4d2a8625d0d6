/* The parameters of a key, as programs ask for them and set them.
   SPDX-License-Identifier: Apache-2.0 */
#include "key_params.h"

#include <openssl/core_names.h>
#include <string.h>

#include "errors.h"
#include "provider.h"
#include "signature.h"

#define DEFAULT_DIGEST "SHA256"

static bool set_text(const struct key *key, const OSSL_PARAM params[], const char *name, char *text, size_t size)
{
    const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, name);
    if (param != NULL && !OSSL_PARAM_get_utf8_string(param, &text, size)) {
        RAISE(key->provider, REASON_BAD_GROUP, "%s", name);
        return false;
    }
    return true;
}

bool key_params_flags(struct key *key, const OSSL_PARAM params[])
{
    char encoding[16] = "", form[16] = "";
    const OSSL_PARAM *param;
    int number;
    if (!set_text(key, params, OSSL_PKEY_PARAM_EC_ENCODING, encoding, sizeof encoding) ||
        !set_text(key, params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, form, sizeof form) ||
        !set_text(key, params, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, key->group_check, sizeof key->group_check))
        return false;
    if (strcmp(encoding, OSSL_PKEY_EC_ENCODING_EXPLICIT) == 0)
        key->explicit_encoding = true;
    else if (strcmp(encoding, OSSL_PKEY_EC_ENCODING_GROUP) == 0)
        key->explicit_encoding = false;
    else if (encoding[0] != '\0')
        return RAISE(key->provider, REASON_BAD_GROUP, "encoding %s", encoding), false;
    if (strcmp(form, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_COMPRESSED) == 0)
        key->form = POINT_CONVERSION_COMPRESSED;
    else if (strcmp(form, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED) == 0)
        key->form = POINT_CONVERSION_UNCOMPRESSED;
    else if (strcmp(form, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_HYBRID) == 0)
        key->form = POINT_CONVERSION_HYBRID;
    else if (form[0] != '\0')
        return RAISE(key->provider, REASON_BAD_GROUP, "point format %s", form), false;
    if ((param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH)) != NULL) {
        if (!OSSL_PARAM_get_int(param, &number))
            return false;
        key->cofactor = number != 0;
    }
    if ((param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC)) != NULL) {
        if (!OSSL_PARAM_get_int(param, &number))
            return false;
        key->omit_public = number == 0;
    }
    return true;
}

const OSSL_PARAM *key_params_types(int selection)
{
    static const OSSL_PARAM types[] = {
        KEY_PARAMS_OF_GROUP,
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    return selection == 0 ? NULL : types;
}

int key_params_get(void *data, OSSL_PARAM params[])
{
    struct key *key = data;
    const struct curve *curve = key->curve;
    OSSL_PARAM *param;
    uint8_t octets[POINT_BYTES];
    if ((param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_DEFAULT_DIGEST)) != NULL &&
        !OSSL_PARAM_set_utf8_string(param, DEFAULT_DIGEST))
        return 0;
    if (curve == NULL)
        return 1;
    if (((param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MAX_SIZE)) != NULL &&
         !OSSL_PARAM_set_size_t(param, signature_size(curve->order_bytes, curve->order_bits))) ||
        ((param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_BITS)) != NULL &&
         !OSSL_PARAM_set_uint(param, curve->order_bits)) ||
        ((param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_SECURITY_BITS)) != NULL &&
         !OSSL_PARAM_set_uint(param, curve->security_bits)))
        return 0;
    if (key->has_public && (param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)) != NULL &&
        !OSSL_PARAM_set_octet_string(param, octets,
                                     point_encode(key->provider, curve, key->x, key->y,
                                                  POINT_CONVERSION_UNCOMPRESSED, octets)))
        return 0;
    struct params list;
    params_init(&list);
    int selection = OSSL_KEYMGMT_SELECT_ALL;
    if (key->in_slot)
        selection &= ~OSSL_KEYMGMT_SELECT_PRIVATE_KEY;
    bool heavy = false;
    for (const OSSL_PARAM *type = key_params_types(selection); type->key != NULL; type++)
        heavy |= OSSL_PARAM_locate(params, type->key) != NULL;
    heavy |= OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS) != NULL;
    bool done = !heavy || (key_to_params(key, selection, &list) && params_answer(&list, params));
    params_init(&list);
    if (key->has_public) {
        params_number(&list, OSSL_PKEY_PARAM_EC_PUB_X, key->x, curve->field_bytes);
        params_number(&list, OSSL_PKEY_PARAM_EC_PUB_Y, key->y, curve->field_bytes);
    }
    done = done && params_answer(&list, params);
    if (heavy)
        params_wipe(&list);
    return done;
}

const OSSL_PARAM *key_params_gettable(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        KEY_PARAMS_OF_GROUP,
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_X, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_Y, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return gettable;
}

int key_params_set(void *data, const OSSL_PARAM params[])
{
    struct key *key = data;
    const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (param != NULL && (param->data_type != OSSL_PARAM_OCTET_STRING ||
                          !key_set_public(key, param->data, param->data_size)))
        return 0;
    return key_params_flags(key, params);
}

const OSSL_PARAM *key_params_settable(void *provider)
{
    static const OSSL_PARAM settable[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return settable;
}
