/* Keys of any provider: see keys.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <openssl/x509.h>

EVP_PKEY *key_generate(const char *group, const char *properties)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", properties);
    const int done = context && EVP_PKEY_keygen_init(context) > 0 &&
                     EVP_PKEY_CTX_set_group_name(context, group) > 0 && EVP_PKEY_generate(context, &key) > 0;
    EVP_PKEY_CTX_free(context);
    return done ? key : NULL;
}

EVP_PKEY *key_moved(const EVP_PKEY *key, int public_half, const char *properties)
{
    unsigned char *der = NULL;
    EVP_PKEY *moved = NULL;
    if (!key)
        return NULL;
    const int length = public_half ? i2d_PUBKEY(key, &der) : i2d_PrivateKey(key, &der);
    if (length > 0) {
        const unsigned char *from = der;
        moved = public_half ? d2i_PUBKEY_ex(NULL, &from, length, NULL, properties)
                            : d2i_AutoPrivateKey_ex(NULL, &from, length, NULL, properties);
        OPENSSL_clear_free(der, (size_t)length);
    }
    return moved;
}
