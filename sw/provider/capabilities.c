/* TLS-GROUP: the groups of TLS, so that libssl takes the keys of key agreements from this provider.
   SPDX-License-Identifier: Apache-2.0

   libssl uses a group only if the provider of its key management announces it. The numbers are those of the IANA
   registry "TLS Supported Groups"; TLS 1.3 has fewer groups than TLS 1.2 (RFC 8446, RFC 8734). */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>
#include <strings.h>

#include "provider.h"

struct group {
    const char *internal; /* OpenSSL's name of the curve */
    const char *names[2]; /* names in TLS; the second may be NULL */
    unsigned number, security_bits;
    int from, to, dtls_from, dtls_to; /* versions; to = 0: any later one, -1: none */
};

#define ALL TLS1_VERSION, 0, DTLS1_VERSION, 0
#define OLD TLS1_VERSION, TLS1_2_VERSION, DTLS1_VERSION, DTLS1_2_VERSION
#define NEW TLS1_3_VERSION, 0, -1, -1

static const struct group groups[] = {
    {"prime256v1", {"secp256r1", "P-256"}, 23, 128, ALL},
    {"secp384r1", {"secp384r1", "P-384"}, 24, 192, ALL},
    {"secp521r1", {"secp521r1", "P-521"}, 25, 256, ALL},
    {"secp256k1", {"secp256k1", NULL}, 22, 128, OLD},
    {"secp224r1", {"secp224r1", "P-224"}, 21, 112, OLD},
    {"secp224k1", {"secp224k1", NULL}, 20, 112, OLD},
    {"prime192v1", {"secp192r1", "P-192"}, 19, 80, OLD},
    {"secp192k1", {"secp192k1", NULL}, 18, 80, OLD},
    {"secp160r2", {"secp160r2", NULL}, 17, 80, OLD},
    {"secp160r1", {"secp160r1", NULL}, 16, 80, OLD},
    {"secp160k1", {"secp160k1", NULL}, 15, 80, OLD},
    {"brainpoolP256r1", {"brainpoolP256r1", NULL}, 26, 128, OLD},
    {"brainpoolP384r1", {"brainpoolP384r1", NULL}, 27, 192, OLD},
    {"brainpoolP512r1", {"brainpoolP512r1", NULL}, 28, 256, OLD},
    {"brainpoolP256r1", {"brainpoolP256r1tls13", NULL}, 31, 128, NEW},
    {"brainpoolP384r1", {"brainpoolP384r1tls13", NULL}, 32, 192, NEW},
    {"brainpoolP512r1", {"brainpoolP512r1tls13", NULL}, 33, 256, NEW},
    {"sect163k1", {"sect163k1", "K-163"}, 1, 80, OLD},
    {"sect163r1", {"sect163r1", NULL}, 2, 80, OLD},
    {"sect163r2", {"sect163r2", "B-163"}, 3, 80, OLD},
    {"sect193r1", {"sect193r1", NULL}, 4, 80, OLD},
    {"sect193r2", {"sect193r2", NULL}, 5, 80, OLD},
    {"sect233k1", {"sect233k1", "K-233"}, 6, 112, OLD},
    {"sect233r1", {"sect233r1", "B-233"}, 7, 112, OLD},
    {"sect239k1", {"sect239k1", NULL}, 8, 112, OLD},
    {"sect283k1", {"sect283k1", "K-283"}, 9, 128, OLD},
    {"sect283r1", {"sect283r1", "B-283"}, 10, 128, OLD},
    {"sect409k1", {"sect409k1", "K-409"}, 11, 192, OLD},
    {"sect409r1", {"sect409r1", "B-409"}, 12, 192, OLD},
    {"sect571k1", {"sect571k1", "K-571"}, 13, 256, OLD},
    {"sect571r1", {"sect571r1", "B-571"}, 14, 256, OLD},
};

int capabilities_get(void *provider, const char *capability, OSSL_CALLBACK *callback, void *argument)
{
    (void)provider;
    if (strcasecmp(capability, "TLS-GROUP") != 0)
        return 0;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct group group = groups[i];
        unsigned is_kem = 0;
        for (int alias = 0; alias < 2 && group.names[alias] != NULL; alias++) {
            OSSL_PARAM params[] = {
                OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME, (char *)group.names[alias], 0),
                OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, (char *)group.internal, 0),
                OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_GROUP_ALG, (char *)"EC", 0),
                OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &group.number),
                OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &group.security_bits),
                OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &group.from),
                OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &group.to),
                OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &group.dtls_from),
                OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &group.dtls_to),
                OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &is_kem),
                OSSL_PARAM_construct_end(),
            };
            if (!callback(params, argument))
                return 0;
        }
    }
    return 1;
}
