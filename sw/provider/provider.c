/* The entry of the provider: what OpenSSL calls first, and the table of algorithms.
   SPDX-License-Identifier: Apache-2.0

   Only what a device does is offered: keys of elliptic curves, ECDH, ECDSA, and keys in a key slot. Digests, ciphers,
   encoders and decoders stay with OpenSSL's own providers. With the properties `?provider=eccel`, which `eccel
   provider` writes into openssl.cnf, OpenSSL prefers these algorithms where they exist. */
#include "provider.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <stdlib.h>

#include "errors.h"
#include "fork.h"

#define PROPERTIES "provider=eccel"

OSSL_provider_init_fn OSSL_provider_init __attribute__((visibility("default")));

static OSSL_FUNC_provider_teardown_fn provider_teardown;
static OSSL_FUNC_provider_query_operation_fn provider_query;
static OSSL_FUNC_provider_gettable_params_fn provider_gettable_params;
static OSSL_FUNC_provider_get_params_fn provider_get_params;
static OSSL_FUNC_provider_get_reason_strings_fn provider_reasons;
static OSSL_FUNC_provider_self_test_fn provider_self_test;

static const OSSL_ALGORITHM keymgmt[] = {
    {"EC:id-ecPublicKey:1.2.840.10045.2.1", PROPERTIES, keymgmt_functions, "keys of elliptic curves"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM signatures[] = {
    {"ECDSA", PROPERTIES, ecdsa_functions, "ECDSA in the device"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM exchanges[] = {
    {"ECDH", PROPERTIES, ecdh_functions, "ECDH in the device"},
    {NULL, NULL, NULL, NULL},
};
static const OSSL_ALGORITHM stores[] = {
    {"eccel", PROPERTIES, store_functions, "keys in the key slot of a device"},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM *provider_query(void *provider, int operation, int *no_cache)
{
    (void)provider;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return keymgmt;
    case OSSL_OP_SIGNATURE:
        return signatures;
    case OSSL_OP_KEYEXCH:
        return exchanges;
    case OSSL_OP_STORE:
        return stores;
    default:
        return NULL;
    }
}

static const OSSL_PARAM *provider_gettable_params(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
        OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
        OSSL_PARAM_END,
    };
    (void)provider;
    return gettable;
}

static int provider_get_params(void *provider, OSSL_PARAM params[])
{
    OSSL_PARAM *param;
    int status = ((const struct provider *)provider)->config.complaint[0] == '\0';
    return ((param = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME)) == NULL ||
            OSSL_PARAM_set_utf8_ptr(param, "eccelerate")) &&
           ((param = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION)) == NULL ||
            OSSL_PARAM_set_utf8_ptr(param, OPENSSL_MSTR(ECCEL_VERSION_MAJOR) "." OPENSSL_MSTR(ECCEL_VERSION_MINOR))) &&
           ((param = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO)) == NULL ||
            OSSL_PARAM_set_utf8_ptr(param, OPENSSL_FULL_VERSION_STR)) &&
           ((param = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS)) == NULL || OSSL_PARAM_set_int(param, status));
}

static const OSSL_ITEM *provider_reasons(void *provider)
{
    (void)provider;
    return errors_reasons();
}

bool provider_is_usable(const struct provider *provider)
{
    if (provider->config.complaint[0] == '\0')
        return true;
    RAISE(provider, REASON_SETTING, "%s", provider->config.complaint);
    return false;
}

/* OSSL_PROVIDER_self_test: the devices prove what they can do. */
static int provider_self_test(void *data)
{
    struct provider *provider = data;
    if (!provider_is_usable(provider))
        return 0;
    eccel *handle = engine_handle(provider);
    int result = handle != NULL ? eccel_self_test(handle, NULL) : ECCEL_ERROR_ABSENT;
    if (result != 0)
        RAISE(provider, REASON_DEVICE, "%s: %s", eccel_result_name(result), eccel_advice(result));
    return result == 0;
}

static void provider_teardown(void *data)
{
    struct provider *provider = data;
    fork_forget(provider);
    engine_cleanup(&provider->engine);
    async_cleanup(&provider->async);
    curves_free_all(&provider->curves);
    digests_free_all(&provider->digests);
    counters_close(provider->counters);
    if (provider->software != NULL)
        OSSL_PROVIDER_unload(provider->software);
    OSSL_LIB_CTX_free(provider->libctx);
    free(provider);
}

static void read_core_functions(struct provider *provider, const OSSL_DISPATCH *in)
{
    for (; in->function_id != 0; in++)
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            provider->core_get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            provider->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            provider->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        default:
            break;
        }
}

static bool start(struct provider *provider)
{
    config_read(provider);
    const char *software = provider->config.software != NULL ? provider->config.software : "default";
    provider->software = OSSL_PROVIDER_load(provider->libctx, software);
    if (provider->software == NULL)
        config_complain(&provider->config, "software", software, "there is no such provider");
    provider->counters = counters_open(provider->config.counters);
    if (provider->counters == NULL || !async_init(&provider->async, provider->counters) || !fork_remember(provider)) {
        RAISE(provider, REASON_MEMORY, NULL);
        return false;
    }
    return true;
}

static const OSSL_DISPATCH provider_functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))provider_teardown},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))provider_query},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))provider_gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))provider_get_params},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))provider_reasons},
    {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))capabilities_get},
    {OSSL_FUNC_PROVIDER_SELF_TEST, (void (*)(void))provider_self_test},
    {0, NULL},
};

int OSSL_provider_init(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context)
{
    struct provider *provider = calloc(1, sizeof *provider);
    if (provider == NULL)
        return 0;
    provider->core = core;
    read_core_functions(provider, in);
    engine_init(&provider->engine);
    provider->libctx = OSSL_LIB_CTX_new_from_dispatch(core, in);
    if (provider->libctx == NULL || !start(provider)) {
        provider_teardown(provider);
        return 0;
    }
    *context = provider;
    *out = provider_functions;
    return 1;
}
