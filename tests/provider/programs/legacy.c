/* Programs from before OpenSSL 3: EC_KEY inside EVP_PKEY, and EC_KEY taken out of one.
   SPDX-License-Identifier: Apache-2.0

       legacy     prints "done" if all of it works */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/x509.h>

#include "usage.h"

static void sign_and_verify(EVP_PKEY *key)
{
    unsigned char hash[32] = {3}, signature[200];
    size_t length = sizeof signature;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    REQUIRE(EVP_PKEY_sign_init(context) > 0 && EVP_PKEY_sign(context, signature, &length, hash, sizeof hash) > 0);
    REQUIRE(EVP_PKEY_verify_init(context) > 0);
    REQUIRE(EVP_PKEY_verify(context, signature, length, hash, sizeof hash) == 1);
    EVP_PKEY_CTX_free(context);
}

int main(void)
{
    /* an old key inside a new one */
    EC_KEY *old = EC_KEY_new_by_curve_name(NID_secp384r1);
    EVP_PKEY *key = EVP_PKEY_new();
    REQUIRE(EC_KEY_generate_key(old) && EVP_PKEY_set1_EC_KEY(key, old));
    sign_and_verify(key);

    /* a key of the provider, taken out */
    EVP_PKEY *made = EVP_EC_gen("P-384");
    const EC_KEY *inside = EVP_PKEY_get0_EC_KEY(made);
    REQUIRE(inside != NULL && EC_KEY_check_key(inside));
    unsigned char hash[32] = {4}, signature[200];
    unsigned length;
    REQUIRE(ECDSA_sign(0, hash, sizeof hash, signature, &length, (EC_KEY *)inside));
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(made, NULL);
    REQUIRE(EVP_PKEY_verify_init(context) > 0 &&
            EVP_PKEY_verify(context, signature, length, hash, sizeof hash) == 1);
    EVP_PKEY_CTX_free(context);

    /* through DER and back, whatever its form inside */
    unsigned char *der = NULL;
    int bytes = i2d_PrivateKey(made, &der);
    const unsigned char *at = der;
    EVP_PKEY *again = d2i_AutoPrivateKey(NULL, &at, bytes);
    REQUIRE(bytes > 0 && again != NULL && EVP_PKEY_eq(made, again) == 1);
    sign_and_verify(again);
    OPENSSL_free(der);

    REQUIRE(EVP_PKEY_get_id(made) == EVP_PKEY_EC && EVP_PKEY_eq(key, made) == 0);
    EVP_PKEY_free(again);
    EVP_PKEY_free(made);
    EVP_PKEY_free(key);
    EC_KEY_free(old);
    printf("done\n");
    return 0;
}
