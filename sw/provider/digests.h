/* Digests, each fetched once.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_DIGESTS_H
#define ECCEL_PROVIDER_DIGESTS_H

#include <openssl/evp.h>
#include <stdatomic.h>
#include <stddef.h>

struct provider;

struct digest {
    struct digest *next;
    char asked[32]; /* the name that was asked for */
    EVP_MD *md;
    size_t size;
};

struct digests {
    _Atomic(struct digest *) list;
};

/* A digest by any of its names. NULL, with an error raised, if it is unknown or has no fixed length. It lives as long
   as the provider. */
const struct digest *digests_find(struct provider *provider, const char *name);
void digests_free_all(struct digests *digests);

#endif
