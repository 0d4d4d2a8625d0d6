/* Looks for a private key in the memory of this process after it has been freed.
   SPDX-License-Identifier: Apache-2.0

       wiped keep|free     prints how many times the key was found, in both orders of bytes
   keep: the key still exists, so that it has to be found; free: it does not. The key signs, also as a paused job, and
   agrees before. The program holds its only copy with every bit inverted. */
#include <openssl/async.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

#include "usage.h"

#define BYTES 32

static unsigned char inverted[2][BYTES]; /* most significant byte first, and last */
static EVP_PKEY *key;

static int use(void *unused)
{
    unsigned char hash[32] = {1}, out[200];
    size_t length = sizeof out;
    (void)unused;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int good = EVP_PKEY_sign_init(context) > 0 && EVP_PKEY_sign(context, out, &length, hash, sizeof hash) > 0 &&
               EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, key) > 0;
    length = sizeof out;
    good = good && EVP_PKEY_derive(context, out, &length) > 0;
    EVP_PKEY_CTX_free(context);
    return good;
}

static void remember(void)
{
    BIGNUM *d = NULL;
    unsigned char octets[BYTES];
    REQUIRE(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &d) && BN_bn2binpad(d, octets, BYTES) == BYTES);
    for (int i = 0; i < BYTES; i++)
        inverted[0][i] = inverted[1][BYTES - 1 - i] = (unsigned char)~octets[i];
    BN_clear_free(d);
    OPENSSL_cleanse(octets, sizeof octets);
}

/* Counts the places of one part of memory; the comparison never makes a copy of the key. */
static int count_in(const unsigned char *start, const unsigned char *end)
{
    int found = 0;
    for (; end - start >= BYTES; start++)
        for (int order = 0; order < 2; order++) {
            int equal = 0;
            while (equal < BYTES && (start[equal] ^ inverted[order][equal]) == 0xff)
                equal++;
            found += equal == BYTES;
        }
    return found;
}

static int count_in_memory(void)
{
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long start, end;
        char access[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3 && strncmp(access, "rw", 2) == 0 &&
            strstr(line, "[v") == NULL)
            found += count_in((const unsigned char *)start, (const unsigned char *)end);
    }
    fclose(maps);
    return found;
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2 && (key = EVP_EC_gen("P-256")) != NULL);
    remember();
    REQUIRE(use(NULL));
    ASYNC_JOB *job = NULL;
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    int result = 0, state;
    while ((state = ASYNC_start_job(&job, wait, &result, use, NULL, 0)) == ASYNC_PAUSE)
        usleep(1000);
    REQUIRE(state == ASYNC_FINISH && result == 1);
    ASYNC_WAIT_CTX_free(wait);
    if (strcmp(arguments[1], "free") == 0)
        EVP_PKEY_free(key);
    printf("%d\n", count_in_memory());
    return 0;
}
