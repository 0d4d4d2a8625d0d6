/* Results that the paced device has computed before. See remember.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "remember.h"

#include "memory.h"

#include <openssl/rand.h>
#include <string.h>

enum { WAYS = 4 };

struct remembered {
    struct job_name name;
    uint8_t used, status, values, bytes;
    uint8_t value[ECCEL_MAX_RESULTS][ECCEL_MAX_BYTES];
};

int remember_open(struct remember *remember, size_t entries)
{
    size_t rounded = 0;
    if (entries)
        for (rounded = WAYS; rounded < entries;)
            rounded *= 2;
    *remember = (struct remember){.entries = rounded};
    remember->hash = EVP_MD_fetch(NULL, "SHA256", NULL);
    remember->context = EVP_MD_CTX_new();
    if (rounded)
        remember->entry = memory_take(rounded * sizeof *remember->entry);
    return remember->hash && remember->context && (!rounded || remember->entry) &&
                   RAND_bytes(remember->secret, sizeof remember->secret) == 1
               ? 0
               : -1;
}

void remember_close(struct remember *remember)
{
    memory_give(remember->entry, remember->entries * sizeof *remember->entry);
    EVP_MD_CTX_free(remember->context);
    EVP_MD_free(remember->hash);
    eccel_wipe(remember, sizeof *remember);
}

int remember_name(struct remember *remember, struct job_name *name, uint64_t curve,
                  const struct eccel_request *request)
{
    /* These change the result; the others only change the way to it. */
    const unsigned char head[3] = {request->op, request->flags & (ECCEL_FLAG_MOD_N | ECCEL_FLAG_COFACTOR),
                                   (unsigned char)request->operands};
    unsigned char digest[EVP_MAX_MD_SIZE];
    EVP_MD_CTX *context = remember->context;
    if (!remember->entries || (request->flags & ECCEL_FLAG_RANDOM))
        return -1;
    int good = EVP_DigestInit_ex2(context, remember->hash, NULL) &&
               EVP_DigestUpdate(context, remember->secret, sizeof remember->secret) &&
               EVP_DigestUpdate(context, &curve, sizeof curve) && EVP_DigestUpdate(context, head, sizeof head);
    for (unsigned i = 0; good && i < request->operands; i++)
        good = EVP_DigestUpdate(context, request->operand[i].bytes, request->operand[i].length);
    if (!good || !EVP_DigestFinal_ex(context, digest, NULL))
        return -1;
    memcpy(name->bytes, digest, sizeof name->bytes);
    return 0;
}

static struct remembered *set_of(const struct remember *remember, const struct job_name *name)
{
    uint32_t index;
    memcpy(&index, name->bytes, sizeof index);
    return remember->entry + (index & (remember->entries - 1) & ~(size_t)(WAYS - 1));
}

int remember_find(const struct remember *remember, const struct job_name *name, struct eccel_result *result)
{
    const struct remembered *set = set_of(remember, name);
    for (unsigned i = 0; i < WAYS; i++)
        if (set[i].used && !memcmp(&set[i].name, name, sizeof *name)) {
            result->result = set[i].status;
            result->values = set[i].values;
            result->bytes = set[i].bytes;
            for (unsigned v = 0; v < set[i].values; v++)
                memcpy(result->value[v], set[i].value[v], set[i].bytes);
            return 1;
        }
    return 0;
}

void remember_keep(struct remember *remember, const struct job_name *name, const struct eccel_result *result)
{
    struct remembered *set = set_of(remember, name);
    unsigned way = 0;
    while (way < WAYS - 1 && set[way].used && memcmp(&set[way].name, name, sizeof *name))
        way++;
    if (set[way].used && memcmp(&set[way].name, name, sizeof *name)) /* the set is full */
        way = name->bytes[4] % WAYS;
    set[way] = (struct remembered){.name = *name, .used = 1, .status = (uint8_t)result->result,
                                   .values = (uint8_t)result->values, .bytes = (uint8_t)result->bytes};
    for (unsigned v = 0; v < result->values; v++)
        memcpy(set[way].value[v], result->value[v], result->bytes);
}
