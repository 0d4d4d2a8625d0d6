/* The reasons of errors, and how they reach OpenSSL's error queue.
   SPDX-License-Identifier: Apache-2.0 */
#include "errors.h"

#include <stdarg.h>

#include "provider.h"

static const OSSL_ITEM reasons[] = {
    {REASON_MEMORY, (void *)"no memory"},
    {REASON_SETTING, (void *)"bad setting in the provider's section of openssl.cnf"},
    {REASON_NO_DEVICE, (void *)"no device can be reached"},
    {REASON_DEVICE, (void *)"the device failed"},
    {REASON_REFUSED, (void *)"the device refused the operands"},
    {REASON_NO_PUBLIC_KEY, (void *)"the key has no public part"},
    {REASON_NO_PRIVATE_KEY, (void *)"the key has no private part"},
    {REASON_NO_GROUP, (void *)"no group is set"},
    {REASON_BAD_GROUP, (void *)"the group is unknown or its parameters are invalid"},
    {REASON_BAD_POINT, (void *)"the public key is not a point of the curve"},
    {REASON_BAD_PRIVATE_KEY, (void *)"the private key is out of range"},
    {REASON_KEY_IN_SLOT, (void *)"the private key is in a key slot and cannot leave it"},
    {REASON_DIGEST, (void *)"the digest is unknown or has no fixed length"},
    {REASON_DIGEST_LENGTH, (void *)"the length of the hash is not that of the digest"},
    {REASON_BUFFER, (void *)"the buffer is too small"},
    {REASON_NOT_INITIALISED, (void *)"the operation has not been initialised"},
    {REASON_GROUPS_DIFFER, (void *)"the two keys are of different groups"},
    {REASON_KDF, (void *)"unknown or incomplete key derivation function"},
    {REASON_URI, (void *)"malformed URI of a key in a slot"},
    {REASON_SOFTWARE, (void *)"the software in place of the device failed"},
    {REASON_ABANDONED, (void *)"the wait context of the paused job is gone"},
    {0, NULL},
};

const OSSL_ITEM *errors_reasons(void)
{
    return reasons;
}

void errors_raise(const struct provider *provider, enum reason reason, const char *file, int line, const char *function,
                  const char *text, ...)
{
    if (provider->new_error == NULL || provider->set_error_debug == NULL || provider->vset_error == NULL)
        return;
    provider->new_error(provider->core);
    provider->set_error_debug(provider->core, file, line, function);
    va_list arguments;
    va_start(arguments, text);
    provider->vset_error(provider->core, (uint32_t)reason, text, arguments);
    va_end(arguments);
}
