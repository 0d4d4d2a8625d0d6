/* Nonces that the paced device prepares ahead. See nonces.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "nonces.h"

#include "comb.h"
#include "memory.h"
#include "soft.h"

#include <openssl/obj_mac.h>
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
    comb_free(nonces->comb);
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

/* The table, if it is there. One thread makes it, while others do without. */
static const struct comb *table_of(struct nonces *nonces, const struct soft_curve *curve, BN_CTX *context)
{
    pthread_mutex_lock(&nonces->lock);
    enum comb_state state = nonces->state;
    /* For P-256, OpenSSL has code for the processor that is quicker than a table. */
    if (state == COMB_NONE && EC_GROUP_get_curve_name(curve->group) == NID_X9_62_prime256v1)
        state = nonces->state = COMB_FAILED;
    if (state == COMB_NONE)
        nonces->state = COMB_BUILDING;
    pthread_mutex_unlock(&nonces->lock);
    if (state == COMB_NONE) {
        struct comb *comb =
            comb_new(curve->group, curve->p, curve->binary, (unsigned)BN_num_bits(curve->n), context);
        pthread_mutex_lock(&nonces->lock);
        nonces->comb = comb;
        state = nonces->state = comb ? COMB_READY : COMB_FAILED;
        pthread_mutex_unlock(&nonces->lock);
    }
    return state == COMB_READY ? nonces->comb : NULL;
}

/* Inverses modulo n of all k, with one inversion. */
static int invert_all(BIGNUM **inverse, BIGNUM *const *k, unsigned count, const BIGNUM *n, BN_CTX *context)
{
    BN_CTX_start(context);
    BIGNUM *rest = BN_CTX_get(context);
    int good = rest && BN_copy(inverse[0], k[0]);
    for (unsigned i = 1; good && i < count; i++)
        good = BN_mod_mul(inverse[i], inverse[i - 1], k[i], n, context);
    good = good && BN_mod_inverse(rest, inverse[count - 1], n, context);
    for (unsigned i = count; good && i-- > 1;)
        good = BN_mod_mul(inverse[i], rest, inverse[i - 1], n, context) && BN_mod_mul(rest, rest, k[i], n, context);
    good = good && BN_copy(inverse[0], rest);
    if (rest)
        BN_clear(rest);
    BN_CTX_end(context);
    return good;
}

static int keep(struct nonces *nonces, const BIGNUM *r, const BIGNUM *inverse)
{
    int bytes = (int)nonces->bytes, kept = 0;
    pthread_mutex_lock(&nonces->lock);
    if (nonces->count < nonces->room) {
        uint8_t *place = nonces->store + nonces->count * 2 * nonces->bytes;
        kept = BN_bn2binpad(r, place, bytes) > 0 && BN_bn2binpad(inverse, place + bytes, bytes) > 0;
        nonces->count += (size_t)kept;
    }
    pthread_mutex_unlock(&nonces->lock);
    return kept;
}

int nonces_prepare(struct nonces *nonces, const struct soft_curve *curve, BN_CTX *context)
{
    BIGNUM *k[COMB_BATCH], *r[COMB_BATCH], *inverse[COMB_BATCH];
    size_t count = nonces_count(nonces);
    if (count >= nonces->room)
        return 0;
    const struct comb *comb = table_of(nonces, curve, context);
    const unsigned drawn = comb ? COMB_BATCH : 1;
    unsigned batch = drawn;
    int good = 1, kept = 0;
    BN_CTX_start(context);
    for (unsigned i = 0; i < drawn; i++) {
        k[i] = BN_CTX_get(context);
        r[i] = BN_CTX_get(context);
        inverse[i] = BN_CTX_get(context);
    }
    good = inverse[drawn - 1] != NULL;
    for (unsigned i = 0; good && i < batch; i++)
        good = soft_draw(curve, k[i]);
    if (good && comb && !(comb_multiply(comb, k, r, batch, context) &&
                          invert_all(inverse, k, batch, curve->n, context)))
        batch = 1; /* two points of a sum were equal, as happens on very small curves: one at a time */
    if (good && batch == 1)
        good = soft_nonce(curve, k[0], r[0], inverse[0], context);
    for (unsigned i = 0; good && i < batch; i++)
        kept |= BN_nnmod(r[i], r[i], curve->n, context) && keep(nonces, r[i], inverse[i]);
    for (unsigned i = 0; inverse[drawn - 1] && i < drawn; i++) {
        BN_clear(k[i]);
        BN_clear(inverse[i]);
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
