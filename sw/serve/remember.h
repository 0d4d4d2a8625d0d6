/* Results that the paced device has computed before.
   SPDX-License-Identifier: Apache-2.0

   Jobs are known by a keyed hash, so that no operand is kept. Results are: they may be shared secrets. Not
   thread-safe. */
#ifndef SERVE_REMEMBER_H
#define SERVE_REMEMBER_H

#include "eccel.h"

#include <openssl/evp.h>

struct remembered;

struct remember {
    size_t entries; /* a power of two, or 0: nothing is remembered */
    struct remembered *entry;
    EVP_MD *hash;
    EVP_MD_CTX *context;
    uint8_t secret[32];
};

/* The name of a job. */
struct job_name {
    uint8_t bytes[16];
};

int remember_open(struct remember *remember, size_t entries);
void remember_close(struct remember *remember);

/* The name of a job on the curve with this number. Returns 0, or -1 if it cannot be remembered. */
int remember_name(struct remember *remember, struct job_name *name, uint64_t curve,
                  const struct eccel_request *request);

/* Copies the result of that job. Returns 1 if it is known. */
int remember_find(const struct remember *remember, const struct job_name *name, struct eccel_result *result);

void remember_keep(struct remember *remember, const struct job_name *name, const struct eccel_result *result);

#endif
