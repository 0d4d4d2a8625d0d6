/* The time of the CPU for one signature of a message, EVP included.
   SPDX-License-Identifier: Apache-2.0

       cost CURVE COUNT     prints microseconds for one EVP_DigestSignInit + EVP_DigestSign with SHA-256, 64 bytes
   With the device of sw/bench/null this is what OpenSSL and the provider spend, without transport. */
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <time.h>

#include "usage.h"

int main(int count, char **arguments)
{
    REQUIRE(count == 3);
    EVP_PKEY *key = EVP_EC_gen(arguments[1]);
    unsigned char message[64] = "a message", signature[200];
    int rounds = atoi(arguments[2]);
    double best = 1e9;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    REQUIRE(key != NULL);
    for (int attempt = 0; attempt < 5; attempt++) {
        clock_t start = clock();
        for (int i = 0; i < rounds; i++) {
            size_t length = sizeof signature;
            REQUIRE(EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, key, NULL) > 0 &&
                    EVP_DigestSign(context, signature, &length, message, sizeof message) > 0);
            EVP_MD_CTX_reset(context);
        }
        double microseconds = (double)(clock() - start) / CLOCKS_PER_SEC * 1e6 / rounds;
        best = microseconds < best ? microseconds : best;
    }
    printf("%.3f\n", best);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return 0;
}
