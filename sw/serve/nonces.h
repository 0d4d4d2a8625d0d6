/* Nonces that the paced device prepares ahead. Each is used once.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_NONCES_H
#define SERVE_NONCES_H

#include <openssl/bn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct comb;
struct soft_curve;

enum comb_state { COMB_NONE, COMB_BUILDING, COMB_READY, COMB_FAILED };

struct nonces {
    pthread_mutex_t lock;
    size_t room, count;
    size_t bytes;   /* of a number */
    uint8_t *store; /* room * 2 * bytes: r, k^-1 */
    enum comb_state state;
    struct comb *comb;
};

int nonces_open(struct nonces *nonces, size_t room, size_t bytes);
void nonces_close(struct nonces *nonces);

/* Takes one, if there is one: returns 1. */
int nonces_take(struct nonces *nonces, BIGNUM *r, BIGNUM *inverse);

/* Prepares some more. Returns 1, or 0 if there is no room. The first call makes a table, which takes a while. */
int nonces_prepare(struct nonces *nonces, const struct soft_curve *curve, BN_CTX *context);

size_t nonces_count(struct nonces *nonces);

#endif
