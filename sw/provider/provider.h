/* The state of one loaded provider, and the names of its dispatch tables.
   SPDX-License-Identifier: Apache-2.0

   OpenSSL calls OSSL_provider_init once for each library context that loads the provider. Everything that the provider
   remembers hangs from the structure below; it has no other state but the list in fork.c. */
#ifndef ECCEL_PROVIDER_H
#define ECCEL_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/provider.h>
#include <openssl/types.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "async.h"
#include "config.h"
#include "counters.h"
#include "curves.h"
#include "digests.h"
#include "engine.h"
#include "load.h"

struct provider {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_get_params_fn *core_get_params;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;

    OSSL_LIB_CTX *libctx; /* private: digests, key derivation, random numbers, software in place of a device */
    OSSL_PROVIDER *software;

    struct config config;
    struct counters *counters; /* never NULL */
    struct engine engine;
    struct async async;
    struct load load;
    struct curves curves;
    struct digests digests;

    struct provider *next; /* in the list of fork.c */
};

extern const OSSL_DISPATCH keymgmt_functions[];
extern const OSSL_DISPATCH ecdsa_functions[];
extern const OSSL_DISPATCH ecdh_functions[];
extern const OSSL_DISPATCH store_functions[];

/* Raises an error and returns false if a setting is malformed. Operations ask before they begin. Keys do not: OpenSSL
   would pass a key that cannot be made to another provider. */
bool provider_is_usable(const struct provider *provider);

/* TLS-GROUP: calls back with the parameters of each group. */
OSSL_FUNC_provider_get_capabilities_fn capabilities_get;

#endif
