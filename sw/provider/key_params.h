/* The functions of key management that read and set parameters.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_KEY_PARAMS_H
#define ECCEL_PROVIDER_KEY_PARAMS_H

#include <openssl/core_dispatch.h>

#include "key.h"

OSSL_FUNC_keymgmt_get_params_fn key_params_get;
OSSL_FUNC_keymgmt_gettable_params_fn key_params_gettable;
OSSL_FUNC_keymgmt_set_params_fn key_params_set;
OSSL_FUNC_keymgmt_settable_params_fn key_params_settable;
OSSL_FUNC_keymgmt_import_types_fn key_params_types;

/* Sets encoding, point format, cofactor and what else is no part of the key proper. */
bool key_params_flags(struct key *key, const OSSL_PARAM params[]);

#endif
