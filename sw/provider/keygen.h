/* Generation of keys and of parameters: the functions of key management that begin with GEN.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_KEYGEN_H
#define ECCEL_PROVIDER_KEYGEN_H

#include <openssl/core_dispatch.h>

#include "key.h"

/* EVP_PKEY_CTX_set_params: an int; 1 draws the key in the device, where it stays in the key slot. */
#define PARAM_SLOT "eccel-slot"

OSSL_FUNC_keymgmt_gen_init_fn keygen_init;
OSSL_FUNC_keymgmt_gen_set_template_fn keygen_set_template;
OSSL_FUNC_keymgmt_gen_set_params_fn keygen_set_params;
OSSL_FUNC_keymgmt_gen_settable_params_fn keygen_settable_params;
OSSL_FUNC_keymgmt_gen_fn keygen_generate;
OSSL_FUNC_keymgmt_gen_cleanup_fn keygen_cleanup;

#endif
