/* Curves of the paced device, and the nonces that are prepared for them.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "paced_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct paced_curve *find(struct paced *paced, const uint32_t *load, unsigned words)
{
    for (unsigned i = 0; i < paced->curves; i++)
        if (paced->curve[i]->soft.words == words && paced->curve[i]->load[0] == load[0] &&
            !memcmp(paced->curve[i]->load + words, load + words, 4u * (CURVE_LOAD_OPERANDS - 1) * words))
            return paced->curve[i];
    return NULL;
}

static int make(struct paced *paced, const uint32_t *load, unsigned words, const struct plan_curve *plan,
                unsigned pool, struct paced_curve **made)
{
    if (paced->curves == PACED_CURVES) {
        LOG(paced->log, LEVEL_WARNING, "too_many_curves", NUMBER("curves", PACED_CURVES));
        return ECCEL_ENGINE_FAULT;
    }
    struct paced_curve *curve = calloc(1, sizeof *curve);
    int status = curve ? soft_open(&curve->soft, load, words) : ECCEL_ENGINE_FAULT;
    if (!status && nonces_open(&curve->soft.nonces, paced->prepare, 4u * words))
        status = ECCEL_ENGINE_FAULT;
    if (status) {
        free(curve);
        return status;
    }
    memcpy(curve->load, load, 4u * CURVE_LOAD_OPERANDS * words);
    curve->plan = plan;
    curve->pool = pool;
    paced->curve[paced->curves] = curve;
    *made = curve;
    paced->curves++; /* from here on the workers see it */
    return ECCEL_OK;
}

int paced_take_curve(struct paced *paced, struct curve *curve)
{
    struct paced_curve *known = find(paced, curve->load, curve->words);
    int status = ECCEL_OK;
    if (!known && paced->plan.pools)
        status = ECCEL_BAD_MODULUS; /* its times were not measured */
    else if (!known)
        status = make(paced, curve->load, curve->words, NULL, 0, &known);
    curve->own = known;
    curve->accepted = status == ECCEL_OK;
    return status;
}

int paced_idle(void *context, BN_CTX *numbers)
{
    struct paced *paced = context;
    for (unsigned i = 0; i < paced->curves; i++)
        if (paced->curve[i]->signs && nonces_prepare(&paced->curve[i]->soft.nonces, &paced->curve[i]->soft, numbers))
            return 1;
    return 0;
}

/* Waits until the workers have prepared the nonces of all curves. */
static void wait_for_nonces(struct paced *paced)
{
    uint64_t began = loop_now();
    size_t count = 0, wanted = 0;
    workers_wake(&paced->workers);
    for (unsigned i = 0; i < paced->curves; i++)
        wanted += paced->curve[i]->signs ? paced->prepare : 0;
    if (wanted > 10000)
        LOG(paced->log, LEVEL_INFO, "preparing", NUMBER("nonces", wanted));
    for (uint64_t moved = began; count < wanted && loop_now() - moved < UINT64_C(20000000000);) {
        size_t before = count;
        nanosleep(&(const struct timespec){.tv_nsec = 2000000}, NULL);
        count = 0;
        for (unsigned i = 0; i < paced->curves; i++)
            if (paced->curve[i]->signs)
                count += nonces_count(&paced->curve[i]->soft.nonces);
        moved = count != before ? loop_now() : moved;
    }
    if (wanted)
        LOG(paced->log, LEVEL_INFO, "prepared", NUMBER("nonces", count),
            NUMBER("ms", (loop_now() - began) / 1000000));
}

int paced_prepare(struct paced *paced, char *error, size_t room)
{
    for (unsigned pool = 0; pool < paced->plan.pools; pool++) {
        const struct plan_pool *from = &paced->plan.pool[pool];
        for (size_t i = 0; i < from->curves; i++) {
            const struct plan_curve *plan = &from->curve[i];
            struct paced_curve *made;
            if (find(paced, plan->load, plan->words))
                continue; /* another pool takes it */
            int status = make(paced, plan->load, plan->words, plan, pool, &made);
            if (status) {
                snprintf(error, room, "curve %zu of pool %u of the plan: %s", i, pool, eccel_result_name(status));
                return -1;
            }
            made->signs = plan_find_job(plan, ECCEL_OP_ECDSA_SIGN, ECCEL_FLAG_RANDOM) != NULL;
        }
    }
    wait_for_nonces(paced);
    return 0;
}

void paced_forget_curves(struct paced *paced)
{
    while (paced->curves) {
        struct paced_curve *curve = paced->curve[--paced->curves];
        nonces_close(&curve->soft.nonces);
        soft_close(&curve->soft);
        free(curve);
    }
}
