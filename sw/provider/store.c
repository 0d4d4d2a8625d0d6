/* The store `eccel:`, which opens keys in a key slot by a URI.
   SPDX-License-Identifier: Apache-2.0

       eccel:curve=P-256                         the key that is in the slot
       eccel:curve=P-256;generate=yes            a new key, drawn by the device
       eccel:curve=P-256;generate=yes;use=sign   the same for signatures only (or use=agree)

   A device does not overwrite a key: a slot has to be empty for a new one. */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "errors.h"
#include "provider.h"
#include "slot.h"

struct store {
    struct provider *provider;
    int nid;
    bool generate, loaded;
    enum slot_use use;
};

static OSSL_FUNC_store_open_fn store_open;
static OSSL_FUNC_store_load_fn store_load;
static OSSL_FUNC_store_eof_fn store_eof;
static OSSL_FUNC_store_close_fn store_close;
static OSSL_FUNC_store_set_ctx_params_fn store_set_params;
static OSSL_FUNC_store_settable_ctx_params_fn store_settable_params;

static bool read_setting(struct store *store, const char *text, size_t length)
{
    char word[80];
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    char *value = strchr(word, '=');
    if (value == NULL)
        return false;
    *value++ = '\0';
    if (strcasecmp(word, "curve") == 0)
        return (store->nid = curves_nid(value)) != 0;
    if (strcasecmp(word, "generate") == 0) {
        store->generate = strcasecmp(value, "yes") == 0;
        return store->generate || strcasecmp(value, "no") == 0;
    }
    if (strcasecmp(word, "use") == 0) {
        store->use = strcasecmp(value, "sign") == 0 ? SLOT_USE_SIGN : SLOT_USE_AGREE;
        return store->use == SLOT_USE_SIGN || strcasecmp(value, "agree") == 0;
    }
    return false;
}

static void *store_open(void *provider, const char *uri)
{
    struct store *store = provider_is_usable(provider) ? calloc(1, sizeof *store) : NULL;
    if (store == NULL)
        return NULL;
    store->provider = provider;
    bool good = strncasecmp(uri, "eccel:", 6) == 0;
    for (const char *text = uri + 6; good && *text != '\0';) {
        size_t length = strcspn(text, ";");
        good = read_setting(store, text, length);
        text += length + (text[length] == ';');
    }
    if (good && store->nid != 0)
        return store;
    RAISE(provider, REASON_URI, "%s: write eccel:curve=P-256", uri);
    free(store);
    return NULL;
}

static int store_load(void *data, OSSL_CALLBACK *callback, void *argument, OSSL_PASSPHRASE_CALLBACK *ask,
                      void *ask_argument)
{
    struct store *store = data;
    (void)ask;
    (void)ask_argument;
    store->loaded = true;
    struct key *key = key_new(store->provider);
    struct curve *curve = curves_named(store->provider, store->nid);
    if (key == NULL || curve == NULL) {
        key_release(key);
        RAISE(store->provider, REASON_BAD_GROUP, NULL);
        return 0;
    }
    key_set_curve(key, curve, false);
    int type = OSSL_OBJECT_PKEY, done = 0;
    if (store->generate ? slot_generate(key, store->use) : slot_find(key)) {
        OSSL_PARAM object[] = {
            OSSL_PARAM_int(OSSL_OBJECT_PARAM_TYPE, &type),
            OSSL_PARAM_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, (char *)"EC", 2),
            OSSL_PARAM_octet_string(OSSL_OBJECT_PARAM_REFERENCE, (void *)&key, sizeof key),
            OSSL_PARAM_END,
        };
        done = callback(object, argument);
    }
    key_release(key); /* NULL if key management took it */
    return done;
}

static int store_eof(void *data)
{
    return ((const struct store *)data)->loaded;
}

static int store_close(void *data)
{
    free(data);
    return 1;
}

static int store_set_params(void *data, const OSSL_PARAM params[])
{
    (void)data;
    (void)params;
    return 1;
}

static const OSSL_PARAM *store_settable_params(void *provider)
{
    static const OSSL_PARAM settable[] = {OSSL_PARAM_int(OSSL_STORE_PARAM_EXPECT, NULL), OSSL_PARAM_END};
    (void)provider;
    return settable;
}

#define ENTRY(name, function) {OSSL_FUNC_STORE_##name, (void (*)(void))function}

const OSSL_DISPATCH store_functions[] = {
    ENTRY(OPEN, store_open),
    ENTRY(LOAD, store_load),
    ENTRY(EOF, store_eof),
    ENTRY(CLOSE, store_close),
    ENTRY(SET_CTX_PARAMS, store_set_params),
    ENTRY(SETTABLE_CTX_PARAMS, store_settable_params),
    {0, NULL},
};
