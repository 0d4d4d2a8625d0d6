/* Nonces that the paced device prepares ahead. See nonces.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "nonces.h"

#include "memory.h"
#include "soft.h"

#include <string.h>

int nonces_open(struct nonces *nonces, size_t room, size_t bytes)
{
    *nonces = (struct nonces){.room = room, .bytes = bytes};
    pthread_mutex_init(&nonces->lock, NULL);
    if (room)
        nonces->store = memory_take(room * 2 * bytes);
    return room && !nonces->store ? -1 : 0;
}

void nonces_close(struct nonces *nonces)
{
    memory_give(nonces->store, nonces->room * 2 * nonces->bytes);
    pthread_mutex_destroy(&nonces->lock);
    *nonces = (struct nonces){.room = 0};
}

int nonces_take(struct nonces *nonces, BIGNUM *r, BIGNUM *inverse)
{
    int bytes = (int)nonces->bytes, found = 0;
    pthread_mutex_lock(&nonces->lock);
    if (nonces->count) {
        uint8_t *place = nonces->store + --nonces->count * 2 * nonces->bytes;
        found = BN_bin2bn(place, bytes, r) && BN_bin2bn(place + bytes, bytes, inverse);
        eccel_wipe(place, 2 * nonces->bytes);
    }
    pthread_mutex_unlock(&nonces->lock);
    return found;
}

int nonces_prepare(struct nonces *nonces, const struct soft_curve *curve, BN_CTX *context)
{
    int bytes = (int)nonces->bytes, kept = 0;
    if (nonces_count(nonces) >= nonces->room)
        return 0;
    BN_CTX_start(context);
    BIGNUM *k = BN_CTX_get(context), *r = BN_CTX_get(context), *inverse = BN_CTX_get(context);
    if (inverse && soft_draw(curve, k) && soft_nonce(curve, k, r, inverse, context)) {
        pthread_mutex_lock(&nonces->lock);
        if (nonces->count < nonces->room) {
            uint8_t *place = nonces->store + nonces->count * 2 * nonces->bytes;
            kept = BN_bn2binpad(r, place, bytes) > 0 && BN_bn2binpad(inverse, place + bytes, bytes) > 0;
            nonces->count += (size_t)kept;
        }
        pthread_mutex_unlock(&nonces->lock);
    }
    if (inverse) {
        BN_clear(k);
        BN_clear(inverse);
    }
    BN_CTX_end(context);
    return kept;
}

size_t nonces_count(struct nonces *nonces)
{
    pthread_mutex_lock(&nonces->lock);
    size_t count = nonces->count;
    pthread_mutex_unlock(&nonces->lock);
    return count;
}
