/* Keys of any provider: made by one, moved to another as DER.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include <openssl/evp.h>

/* A new key on a curve, or NULL. */
EVP_PKEY *key_generate(const char *group, const char *properties);

/* The same key, or its public half, read from DER with other properties. NULL on failure, and if `key` is NULL. */
EVP_PKEY *key_moved(const EVP_PKEY *key, int public_half, const char *properties);

#endif
