/* Errors of the provider, raised through the core so that they appear in OpenSSL's error queue with their reason.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_ERRORS_H
#define ECCEL_PROVIDER_ERRORS_H

#include <openssl/core.h>

struct provider;

enum reason {
    REASON_MEMORY = 1,
    REASON_SETTING,
    REASON_NO_DEVICE,
    REASON_DEVICE,
    REASON_REFUSED,
    REASON_NO_PUBLIC_KEY,
    REASON_NO_PRIVATE_KEY,
    REASON_NO_GROUP,
    REASON_BAD_GROUP,
    REASON_BAD_POINT,
    REASON_BAD_PRIVATE_KEY,
    REASON_KEY_IN_SLOT,
    REASON_DIGEST,
    REASON_DIGEST_LENGTH,
    REASON_BUFFER,
    REASON_NOT_INITIALISED,
    REASON_GROUPS_DIFFER,
    REASON_KDF,
    REASON_URI,
    REASON_SOFTWARE,
    REASON_ABANDONED
};

/* Adds an error to the queue of this thread. The text (printf) may be NULL. */
#define RAISE(provider, reason, ...) errors_raise(provider, reason, __FILE__, __LINE__, __func__, __VA_ARGS__)

void errors_raise(const struct provider *provider, enum reason reason, const char *file, int line, const char *function,
                  const char *text, ...) __attribute__((format(printf, 6, 7)));

/* The reasons as OpenSSL asks for them. */
const OSSL_ITEM *errors_reasons(void);

#endif
