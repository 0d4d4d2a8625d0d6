/* Threads that share a key, and make keys of their own, at the same time.
   SPDX-License-Identifier: Apache-2.0

       threads COUNT ROUNDS     prints the number of good rounds, COUNT * ROUNDS if all are good */
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "usage.h"

static EVP_PKEY *shared;
static atomic_int good;
static int rounds;

static int one_round(int number)
{
    static const char *const curves[] = {"P-256", "secp256k1", "P-384", "sect163k1"};
    static const char *const digests[] = {"SHA256", "SHA384", "SHA1"};
    unsigned char signature[200], a[100], b[100];
    size_t length = sizeof signature, a_length = sizeof a, b_length = sizeof b;
    EVP_PKEY *own = EVP_EC_gen(curves[number % 4]), *second = EVP_EC_gen(curves[number % 4]);
    EVP_PKEY *key = number % 2 ? shared : own;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const char *digest = digests[number % 3];
    int result = own != NULL && second != NULL &&
                 EVP_DigestSignInit_ex(context, NULL, digest, NULL, NULL, key, NULL) > 0 &&
                 EVP_DigestSign(context, signature, &length, (const unsigned char *)"text", 4) > 0 &&
                 EVP_DigestVerifyInit_ex(context, NULL, digest, NULL, NULL, key, NULL) > 0 &&
                 EVP_DigestVerify(context, signature, length, (const unsigned char *)"text", 4) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_CTX *one = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    EVP_PKEY_CTX *two = EVP_PKEY_CTX_new_from_pkey(NULL, second, NULL);
    result = result && EVP_PKEY_derive_init(one) > 0 && EVP_PKEY_derive_set_peer(one, second) > 0 &&
             EVP_PKEY_derive(one, a, &a_length) > 0 && EVP_PKEY_derive_init(two) > 0 &&
             EVP_PKEY_derive_set_peer(two, own) > 0 && EVP_PKEY_derive(two, b, &b_length) > 0 &&
             a_length == b_length && memcmp(a, b, a_length) == 0;
    EVP_PKEY_CTX_free(one);
    EVP_PKEY_CTX_free(two);
    EVP_PKEY_free(own);
    EVP_PKEY_free(second);
    return result;
}

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < rounds; i++)
        good += one_round(i);
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t thread[32];
    REQUIRE(count == 3);
    int threads = atoi(arguments[1]);
    rounds = atoi(arguments[2]);
    REQUIRE(threads <= 32 && (shared = EVP_EC_gen("secp224r1")) != NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("%d\n", good);
    EVP_PKEY_free(shared);
    return 0;
}
