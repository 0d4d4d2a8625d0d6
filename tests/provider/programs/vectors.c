/* Reads published vectors, one to a line, and runs them through whatever provider OPENSSL_CONF loads.
   SPDX-License-Identifier: Apache-2.0

       verify CURVE POINT DIGEST MESSAGE SIGNATURE     prints valid, invalid or error
       derive CURVE POINT PRIVATE                      prints the secret in hex, or error
       derive-der SPKI CURVE PRIVATE                   the same with the public key as SubjectPublicKeyInfo
       algorithm                                       prints the provider of ECDSA
       self-test                                       prints passed or failed: what the devices say
   All values are in hex, "-" if empty; POINT is encoded as in SEC 1. */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *unhex(const char *text, long *length)
{
    *length = 0;
    return strcmp(text, "-") == 0 ? calloc(1, 1) : OPENSSL_hexstr2buf(text, length);
}

static EVP_PKEY *make_key(const char *curve, const char *point, const char *private_key)
{
    long length, private_length = 0;
    unsigned char *octets = unhex(point, &length), *number = NULL, native[128];
    OSSL_PARAM params[4], *at = params;
    EVP_PKEY *key = NULL;
    if (curve != NULL)
        *at++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0);
    if (private_key == NULL)
        *at++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, octets, (size_t)length);
    else if ((number = unhex(private_key, &private_length)) != NULL && private_length <= (long)sizeof native) {
        for (long i = 0; i < private_length; i++)
            native[i] = number[private_length - 1 - i];
        *at++ = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, (size_t)private_length);
    }
    *at = OSSL_PARAM_construct_end();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (EVP_PKEY_fromdata_init(context) <= 0 ||
        EVP_PKEY_fromdata(context, &key, private_key != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OPENSSL_free(octets);
    OPENSSL_free(number);
    return key;
}

static const char *verify(const char *curve, const char *point, const char *digest, const char *message,
                          const char *signature)
{
    long message_length, signature_length;
    unsigned char *text = unhex(message, &message_length), *bytes = unhex(signature, &signature_length);
    EVP_PKEY *key = make_key(curve, point, NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const char *verdict = "error";
    if (key != NULL && EVP_DigestVerifyInit_ex(context, NULL, digest, NULL, NULL, key, NULL) > 0) {
        int result = EVP_DigestVerify(context, bytes, (size_t)signature_length, text, (size_t)message_length);
        verdict = result > 0 ? "valid" : result == 0 ? "invalid" : "error";
    }
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    OPENSSL_free(text);
    OPENSSL_free(bytes);
    return verdict;
}

static EVP_PKEY *read_spki(const char *text)
{
    long length;
    unsigned char *octets = unhex(text, &length);
    const unsigned char *at = octets;
    EVP_PKEY *key = d2i_PUBKEY(NULL, &at, length);
    OPENSSL_free(octets);
    return key;
}

/* Takes the peer's key over. */
static void derive(const char *curve, EVP_PKEY *peer, const char *private_key)
{
    EVP_PKEY *key = make_key(curve, "-", private_key);
    EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    unsigned char secret[100];
    size_t length = sizeof secret;
    if (context != NULL && peer != NULL && EVP_PKEY_derive_init(context) > 0 &&
        EVP_PKEY_derive_set_peer(context, peer) > 0 && EVP_PKEY_derive(context, secret, &length) > 0) {
        for (size_t i = 0; i < length; i++)
            printf("%02x", secret[i]);
        printf("\n");
    } else {
        printf("error\n");
    }
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
    EVP_PKEY_free(peer);
}

int main(void)
{
    static char line[200000];
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *word[6] = {NULL}, *rest = NULL;
        int words = 0;
        for (char *at = strtok_r(line, " \n", &rest); at != NULL && words < 6; at = strtok_r(NULL, " \n", &rest))
            word[words++] = at;
        if (words == 6 && strcmp(word[0], "verify") == 0) {
            printf("%s\n", verify(word[1], word[2], word[3], word[4], word[5]));
        } else if (words == 4 && strcmp(word[0], "derive") == 0) {
            derive(word[1], make_key(word[1], word[2], NULL), word[3]);
        } else if (words == 4 && strcmp(word[0], "derive-der") == 0) {
            derive(word[2], read_spki(word[1]), word[3]);
        } else if (words == 1 && strcmp(word[0], "self-test") == 0) {
            OSSL_PROVIDER *provider = OSSL_PROVIDER_try_load(NULL, "eccel", 1);
            printf("%s\n", OSSL_PROVIDER_self_test(provider) == 1 ? "passed" : "failed");
            OSSL_PROVIDER_unload(provider);
        } else if (words == 1 && strcmp(word[0], "algorithm") == 0) {
            EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(NULL, "ECDSA", NULL);
            printf("%s\n", OSSL_PROVIDER_get0_name(EVP_SIGNATURE_get0_provider(signature)));
            EVP_SIGNATURE_free(signature);
        } else {
            printf("malformed line\n");
            return 2;
        }
        ERR_clear_error();
        fflush(stdout);
    }
    return 0;
}
