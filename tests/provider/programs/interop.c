/* Every curve with every digest, between the provider and OpenSSL's own in a second library context.
   SPDX-License-Identifier: Apache-2.0

       interop named|explicit|unnamed [CURVE [DIGESTS]]     prints one JSON object; failures go to the error channel
   named, explicit: how the parameters are passed. unnamed: the curve with 2 G as its base point, which has no name.
   For each curve: a key is made on both sides and passed to the other one. Each side signs a message with each digest,
   in one call and in pieces, and the other one verifies it, and refuses it for another message. Both derive the same
   secret, plain, with the cofactor, and with the key derivation function of X9.63. */
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <string.h>

#include "usage.h"

static const char *const digests[] = {"SHA1", "SHA256", "SHA512", "SHA224", "SHA384", "SHA512-256", "SHA3-224",
                                      "SHA3-256", "SHA3-384", "SHA3-512", "BLAKE2s256", "BLAKE2b512", "SM3", "MD5"};
static size_t count_of_digests = sizeof digests / sizeof *digests;
static unsigned char message[333];

#define CHECK(condition)                                                                                           \
    do {                                                                                                           \
        if (!(condition)) {                                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                \
            ERR_print_errors_fp(stderr);                                                                           \
            return 0;                                                                                              \
        }                                                                                                          \
    } while (0)

/* The same key in another library context; NULL if it cannot be passed. */
static EVP_PKEY *pass(EVP_PKEY *key, OSSL_LIB_CTX *to, int selection)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(to, "EC", NULL);
    if (EVP_PKEY_todata(key, selection, &params) <= 0 || EVP_PKEY_fromdata_init(context) <= 0 ||
        EVP_PKEY_fromdata(context, &copy, selection, params) <= 0)
        copy = NULL;
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(context);
    return copy;
}

/* The numbers of a curve, with 2 G in place of G. */
static OSSL_PARAM *unnamed_params(const char *curve)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(OBJ_txt2nid(curve));
    EC_POINT *base = EC_POINT_dup(EC_GROUP_get0_generator(group), group);
    BIGNUM *p = BN_new(), *a = BN_new(), *b = BN_new();
    unsigned char octets[200];
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EC_POINT_dbl(group, base, base, NULL);
    EC_GROUP_get_curve(group, p, a, b, NULL);
    size_t length = EC_POINT_point2oct(group, base, POINT_CONVERSION_UNCOMPRESSED, octets, sizeof octets, NULL);
    const char *field = OBJ_nid2sn(EC_GROUP_get_field_type(group));
    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_EC_FIELD_TYPE, field, 0);
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_EC_P, p);
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_EC_A, a);
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_EC_B, b);
    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_EC_GENERATOR, octets, length);
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_EC_ORDER, EC_GROUP_get0_order(group));
    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_EC_COFACTOR, EC_GROUP_get0_cofactor(group));
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    OSSL_PARAM_BLD_free(build);
    EC_POINT_free(base);
    EC_GROUP_free(group);
    BN_free(p);
    BN_free(a);
    BN_free(b);
    return params;
}

static EVP_PKEY *make_key(OSSL_LIB_CTX *library, const char *curve, const char *form)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(library, "EC", NULL);
    OSSL_PARAM *unnamed = strcmp(form, "unnamed") == 0 ? unnamed_params(curve) : NULL;
    const char *encoding = strcmp(form, "named") == 0 ? "named_curve" : "explicit";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, (char *)encoding, 0),
        OSSL_PARAM_construct_end(),
    };
    if (EVP_PKEY_keygen_init(context) <= 0 ||
        EVP_PKEY_CTX_set_params(context, unnamed != NULL ? unnamed : params) <= 0 ||
        EVP_PKEY_generate(context, &key) <= 0)
        key = NULL;
    OSSL_PARAM_free(unnamed);
    EVP_PKEY_CTX_free(context);
    return key;
}

static int sign(OSSL_LIB_CTX *library, EVP_PKEY *key, const char *digest, int pieces, unsigned char *out,
                size_t *length)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = EVP_DigestSignInit_ex(context, NULL, digest, library, NULL, key, NULL) > 0;
    if (pieces)
        good = good && EVP_DigestSignUpdate(context, message, 100) > 0 &&
               EVP_DigestSignUpdate(context, message + 100, sizeof message - 100) > 0 &&
               EVP_DigestSignFinal(context, NULL, length) > 0 && EVP_DigestSignFinal(context, out, length) > 0;
    else
        good = good && EVP_DigestSign(context, NULL, length, message, sizeof message) > 0 &&
               EVP_DigestSign(context, out, length, message, sizeof message) > 0;
    EVP_MD_CTX_free(context);
    return good;
}

static int verify(OSSL_LIB_CTX *library, EVP_PKEY *key, const char *digest, int pieces, int change,
                  const unsigned char *signature, size_t length)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char text[sizeof message];
    memcpy(text, message, sizeof text);
    text[200] ^= (unsigned char)change;
    int good = EVP_DigestVerifyInit_ex(context, NULL, digest, library, NULL, key, NULL) > 0, result = -1;
    if (good && pieces)
        result = EVP_DigestVerifyUpdate(context, text, 7) > 0 &&
                         EVP_DigestVerifyUpdate(context, text + 7, sizeof text - 7) > 0
                     ? EVP_DigestVerifyFinal(context, signature, length) : -1;
    else if (good)
        result = EVP_DigestVerify(context, signature, length, text, sizeof text);
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return result;
}

static int derive(OSSL_LIB_CTX *library, EVP_PKEY *key, EVP_PKEY *peer, int mode, unsigned char *out, size_t *length)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(library, key, NULL);
    size_t outlen = 77;
    unsigned char ukm[] = "shared information";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, (char *)"X963KDF", 0),
        OSSL_PARAM_construct_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, (char *)"SHA384", 0),
        OSSL_PARAM_construct_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, &outlen),
        OSSL_PARAM_construct_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, ukm, sizeof ukm),
        OSSL_PARAM_construct_end(),
    };
    int good = EVP_PKEY_derive_init(context) > 0 &&
               (mode != 1 || EVP_PKEY_CTX_set_ecdh_cofactor_mode(context, 1) > 0) &&
               (mode != 2 || EVP_PKEY_CTX_set_params(context, params) > 0) &&
               EVP_PKEY_derive_set_peer(context, peer) > 0 && EVP_PKEY_derive(context, NULL, length) > 0 &&
               EVP_PKEY_derive(context, out, length) > 0;
    EVP_PKEY_CTX_free(context);
    return good;
}

struct side {
    OSSL_LIB_CTX *library;
    EVP_PKEY *key, *others; /* its own key, and the other side's public key as it sees it */
};

static int try_curve(OSSL_LIB_CTX *stock, const char *curve, const char *form, unsigned *count)
{
    struct side side[2] = {{NULL, NULL, NULL}, {stock, NULL, NULL}};
    for (int i = 0; i < 2; i++)
        CHECK((side[i].key = make_key(side[i].library, curve, form)) != NULL);
    for (int i = 0; i < 2; i++)
        CHECK((side[i].others = pass(side[!i].key, side[i].library, EVP_PKEY_PUBLIC_KEY)) != NULL);
    for (int i = 0; i < 2; i++) {
        EVP_PKEY *whole = pass(side[i].key, side[!i].library, EVP_PKEY_KEYPAIR);
        CHECK(whole != NULL && EVP_PKEY_eq(whole, side[!i].others) == 1 && EVP_PKEY_eq(whole, side[!i].key) == 0);
        CHECK(EVP_PKEY_get_bits(whole) == EVP_PKEY_get_bits(side[i].key));
        CHECK(EVP_PKEY_get_size(whole) == EVP_PKEY_get_size(side[i].key));
        CHECK(EVP_PKEY_get_security_bits(whole) == EVP_PKEY_get_security_bits(side[i].key));
        EVP_PKEY *copy = EVP_PKEY_dup(side[i].key);
        CHECK(copy != NULL && EVP_PKEY_eq(copy, side[i].key) == 1);
        EVP_PKEY_free(copy);
        EVP_PKEY_free(whole);
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(side[i].library, side[i].key, NULL);
        CHECK(EVP_PKEY_check(context) == 1);
        EVP_PKEY_CTX_free(context);
        for (size_t d = 0; d < count_of_digests; d++)
            for (int pieces = 0; pieces < 2; pieces++) {
                unsigned char signature[200];
                size_t length = sizeof signature;
                CHECK(sign(side[i].library, side[i].key, digests[d], pieces, signature, &length));
                CHECK(verify(side[!i].library, side[!i].others, digests[d], !pieces, 0, signature, length) == 1);
                CHECK(verify(side[!i].library, side[!i].others, digests[d], pieces, 1, signature, length) == 0);
                ++*count;
            }
    }
    for (int mode = 0; mode < 3; mode++) {
        unsigned char secret[2][200];
        size_t length[2] = {sizeof *secret, sizeof *secret};
        for (int i = 0; i < 2; i++)
            CHECK(derive(side[i].library, side[i].key, side[i].others, mode, secret[i], &length[i]));
        CHECK(length[0] == length[1] && memcmp(secret[0], secret[1], length[0]) == 0);
        ++*count;
    }
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_free(side[i].key);
        EVP_PKEY_free(side[i].others);
    }
    return 1;
}

int main(int words, char **word)
{
    REQUIRE(words >= 2 && words <= 4);
    if (words == 4 && (size_t)atoi(word[3]) < count_of_digests)
        count_of_digests = (size_t)atoi(word[3]);
    OSSL_LIB_CTX *stock = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *own = OSSL_PROVIDER_load(stock, "default");
    EC_builtin_curve curves[100];
    size_t total = EC_get_builtin_curves(curves, 100);
    unsigned done = 0, count = 0, failed = 0;
    for (size_t i = 0; i < total; i++) {
        const char *name = OBJ_nid2sn(curves[i].nid);
        if (curves[i].nid == NID_ipsec3 || curves[i].nid == NID_ipsec4)
            continue; /* OpenSSL itself cannot sign on these two: their order is not prime */
        if (curves[i].nid == NID_sm2 || (words >= 3 && strcmp(name, word[2]) != 0))
            continue; /* keys of SM2 are no EC keys for OpenSSL */
        if (try_curve(stock, name, word[1], &count)) {
            done++;
        } else {
            fprintf(stderr, "curve %s failed\n", name);
            failed++;
        }
    }
    printf("{\"curves\": %u, \"checks\": %u, \"failed\": %u}\n", done, count, failed);
    OSSL_PROVIDER_unload(own);
    OSSL_LIB_CTX_free(stock);
    return 0;
}
