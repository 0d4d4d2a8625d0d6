/* The functions of key management that read and set parameters.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_KEY_PARAMS_H
#define ECCEL_PROVIDER_KEY_PARAMS_H

#include <openssl/core_dispatch.h>

#include "key.h"

/* Types of the parameters of a group, and of the cofactor mode, which several lists have. */
#define KEY_PARAMS_OF_GROUP \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0), \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0), \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0), \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_FIELD_TYPE, NULL, 0), \
    OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_P, NULL, 0), \
    OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_A, NULL, 0), \
    OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_B, NULL, 0), \
    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_GENERATOR, NULL, 0), \
    OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_ORDER, NULL, 0), \
    OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_COFACTOR, NULL, 0), \
    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_SEED, NULL, 0), \
    OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL)

OSSL_FUNC_keymgmt_get_params_fn key_params_get;
OSSL_FUNC_keymgmt_gettable_params_fn key_params_gettable;
OSSL_FUNC_keymgmt_set_params_fn key_params_set;
OSSL_FUNC_keymgmt_settable_params_fn key_params_settable;
OSSL_FUNC_keymgmt_import_types_fn key_params_types;

/* Sets encoding, point format, cofactor and what else is no part of the key proper. */
bool key_params_flags(struct key *key, const OSSL_PARAM params[]);

#endif
