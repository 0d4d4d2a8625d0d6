/* Jobs of the paced device: each has a result, which is computed, and a time, which the schedule says. It is answered
   when it has both.
   SPDX-License-Identifier: Apache-2.0 */
#include "paced_parts.h"

#include "memory.h"
#include "packet.h"

#include <limits.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BLOCK_JOBS = 64, ATTRIBUTES = ECCEL_FLAG_NO_SIGN | ECCEL_FLAG_NO_AGREE | ECCEL_FLAG_HOST_NONCE };

struct block {
    struct block *next;
    struct timed timed[BLOCK_JOBS];
};

static struct timed *take(struct paced *paced)
{
    if (!paced->idle) {
        struct block *block = memory_take(sizeof *block);
        if (!block)
            return NULL;
        block->next = paced->blocks;
        paced->blocks = block;
        for (unsigned i = 0; i < BLOCK_JOBS; i++) {
            block->timed[i].next = paced->idle;
            paced->idle = &block->timed[i];
        }
    }
    struct timed *timed = paced->idle;
    paced->idle = timed->next;
    timed->next = NULL;
    if (!paced->in_flight++)
        paced->since = loop_now();
    return timed;
}

void paced_free_jobs(struct paced *paced)
{
    while (paced->blocks) {
        struct block *block = paced->blocks;
        paced->blocks = block->next;
        memory_give(block, sizeof *block);
    }
    paced->idle = NULL;
}

/* A job with a result whose time is over: answers it. */
static void finish(struct timed *timed)
{
    struct paced *paced = timed->paced;
    struct paced_pool *pool = &paced->pool[timed->curve->pool];
    const struct eccel_result *result = &timed->result;
    if (timed->named && result->result >= 0 && result->result != ECCEL_ENGINE_FAULT)
        remember_keep(&paced->remember, &timed->name, result);
    if (packet_sets_key(timed->request.op) && result->result == ECCEL_OK && pool->key_curve) {
        timed->result = (struct eccel_result){.result = ECCEL_KEY_REFUSED}; /* another one was quicker */
    } else if (packet_sets_key(timed->request.op) && result->result == ECCEL_OK) {
        pool->key_curve = timed->curve;
        pool->attributes = timed->request.flags & ATTRIBUTES;
        memcpy(pool->key, timed->key, sizeof pool->key);
    } else if (timed->request.op == ECCEL_OP_ZEROISE) {
        pool->key_curve = NULL;
        eccel_wipe(pool->key, sizeof pool->key);
    }
    timed->job->result = *result;
    job_done_here(timed->job);
    if (!--paced->in_flight)
        paced->busy_ns += loop_now() - paced->since;
    eccel_wipe(timed, sizeof *timed);
    timed->next = paced->idle;
    paced->idle = timed;
}

void paced_ended(void *context, struct task *task, uint64_t at)
{
    struct timed *timed = (struct timed *)task;
    struct paced *paced = context;
    (void)at;
    timed->due = 1;
    if (timed->computed)
        finish(timed);
    else
        paced->late++;
}

void paced_run(struct paced *paced, uint64_t now)
{
    while (paced->first && paced->first->at <= now) {
        struct timed *timed = paced->first;
        paced->first = timed->after;
        paced_ended(paced, &timed->task, timed->at);
    }
    for (unsigned i = 0; i < paced->pools; i++)
        schedule_run(&paced->pool[i].schedule, now);
}

/* Fills in the request with operands that stay. */
static void keep_operands(struct timed *timed, const struct eccel_request *request, const struct paced_pool *pool)
{
    unsigned bytes = 4 * timed->curve->soft.words, count = 0, key = UINT_MAX;
    if (packet_uses_key(request->op, request->flags))
        key = request->op == ECCEL_OP_ECDH ? 2 : 1; /* where d is without KEY */
    timed->request = *request;
    for (unsigned i = 0; i < request->operands || count == key; count++) {
        const uint8_t *from = count == key ? pool->key : request->operand[i].bytes;
        memcpy(timed->operand[count], from, bytes);
        timed->request.operand[count] = (struct eccel_operand){timed->operand[count], bytes};
        i += count != key;
    }
    timed->request.operands = count;
}

/* In a thread of the workers. */
static void compute(struct chore *chore, BN_CTX *context)
{
    struct timed *timed = (struct timed *)((char *)chore - offsetof(struct timed, chore));
    struct paced *paced = timed->paced;
    if (context)
        soft_job(&timed->curve->soft, &timed->request, context, &timed->result, timed->key);
    else
        timed->result.result = ECCEL_ENGINE_FAULT;
    struct timed *head = atomic_load_explicit(&paced->done, memory_order_relaxed);
    do
        timed->next = head;
    while (!atomic_compare_exchange_weak_explicit(&paced->done, &head, timed, memory_order_release,
                                                  memory_order_relaxed));
    if (!head) {
        const uint64_t one = 1;
        ssize_t put = write(paced->computed.fd, &one, sizeof one);
        (void)put;
    }
}

void paced_collect(struct source *source, uint32_t events)
{
    struct paced *paced = (struct paced *)((char *)source - offsetof(struct paced, computed));
    uint64_t count;
    (void)events;
    ssize_t got = read(source->fd, &count, sizeof count);
    (void)got;
    struct timed *timed = atomic_exchange_explicit(&paced->done, NULL, memory_order_acquire);
    while (timed) {
        struct timed *next = timed->next;
        timed->computed = 1;
        if (timed->due)
            finish(timed);
        timed = next;
    }
}

/* What takes a few microseconds is computed at once: handing it to a thread would take longer. */
static int is_quick(struct timed *timed)
{
    switch (timed->request.op) {
    case ECCEL_OP_ECDSA_SIGN:
        timed->curve->signs = 1;
        return (timed->request.flags & ECCEL_FLAG_RANDOM) && nonces_count(&timed->curve->soft.nonces);
    case ECCEL_OP_ON_CURVE:
    case ECCEL_OP_KEY_LOAD:
    case ECCEL_OP_MOD_ADD:
    case ECCEL_OP_MOD_SUB:
    case ECCEL_OP_MOD_MUL: return 1;
    default: return 0;
    }
}

/* Begins to compute. The key of a KEY_LOAD is its operand. */
static void begin(struct timed *timed)
{
    struct paced *paced = timed->paced;
    timed->named = timed->request.op != ECCEL_OP_SELF_TEST && !packet_sets_key(timed->request.op) &&
                   timed->request.op != ECCEL_OP_ZEROISE &&
                   !remember_name(&paced->remember, &timed->name, timed->curve->soft.number, &timed->request);
    if (timed->request.op == ECCEL_OP_KEY_LOAD)
        memcpy(timed->key, timed->operand[0], sizeof timed->key);
    if (timed->request.op == ECCEL_OP_ZEROISE) {
        timed->result.result = ECCEL_OK;
        timed->computed = 1;
    } else if (timed->named && remember_find(&paced->remember, &timed->name, &timed->result)) {
        timed->named = 0;
        timed->computed = 1;
    } else if (is_quick(timed)) {
        soft_job(&timed->curve->soft, &timed->request, paced->context, &timed->result, timed->key);
        timed->computed = 1;
        if (nonces_count(&timed->curve->soft.nonces) < paced->prepare / 2)
            workers_wake(&paced->workers);
    } else {
        timed->chore.run = compute;
        workers_add(&paced->workers, &timed->chore);
    }
}

/* What the attributes of the key say about a job (docs/architecture.md, "The key slot"). */
static int key_status(const struct paced_pool *pool, const struct paced_curve *curve,
                      const struct eccel_request *request)
{
    if (pool->key_curve != curve)
        return ECCEL_NO_KEY;
    if (pool->attributes & (request->op == ECCEL_OP_ECDSA_SIGN ? ECCEL_FLAG_NO_SIGN : ECCEL_FLAG_NO_AGREE))
        return ECCEL_KEY_REFUSED;
    if (request->op == ECCEL_OP_ECDSA_SIGN && !(request->flags & ECCEL_FLAG_RANDOM) &&
        !(pool->attributes & ECCEL_FLAG_HOST_NONCE))
        return ECCEL_KEY_REFUSED;
    return ECCEL_OK;
}

/* Gives the job its time. */
static void set_time(struct timed *timed, const struct plan_job *plan, uint64_t now)
{
    struct paced *paced = timed->paced;
    struct schedule *schedule = &paced->pool[timed->curve->pool].schedule;
    if (paced->unlimited) {
        timed->at = now + paced->latency_ns;
        if (paced->first)
            paced->last->after = timed;
        else
            paced->first = timed;
        paced->last = timed;
        if (!paced->latency_ns)
            paced_run(paced, now);
        return;
    }
    double ns = 1e6 / (double)paced->plan.clock_khz;
    timed->task = (struct task){
        .curve = plan ? timed->curve : NULL,
        .curve_ns = plan ? (uint64_t)((double)timed->curve->plan->load_clocks * ns) : 0,
        .kind = timed->request.op | (uint32_t)timed->request.flags << 8 | (uint32_t)timed->request.operands << 16,
        .single = packet_sets_key(timed->request.op) || timed->request.op >= ECCEL_OP_ZEROISE,
        .alone_ns = plan ? (uint64_t)((double)plan->alone * ns) : paced->latency_ns,
        .group_ns = plan ? (uint64_t)((double)plan->group * ns) : paced->latency_ns,
    };
    schedule_add(schedule, &timed->task, now);
}

int paced_submit(struct backend *backend, struct job *job, const struct eccel_request *request, struct curve *on)
{
    struct paced *paced = (struct paced *)backend;
    struct paced_curve *curve = on->own;
    struct paced_pool *pool = &paced->pool[curve->pool];
    const struct plan_job *plan = NULL;
    uint64_t now = loop_now();
    if (request->op == ECCEL_OP_X_LADDER ||
        (curve->plan && !(plan = plan_find_job(curve->plan, request->op, request->flags))))
        return ECCEL_ERROR_UNSUPPORTED;
    if (pool->key_curve && pool->key_curve != curve && request->op != ECCEL_OP_ZEROISE)
        return ECCEL_ERROR_UNSUPPORTED; /* an engine keeps its curve as long as it has a key */
    if (paced->in_flight >= paced->most)
        return ECCEL_ERROR_BUSY;
    struct timed *timed = take(paced);
    if (!timed)
        return ECCEL_ERROR_MEMORY;
    timed->paced = paced;
    timed->curve = curve;
    timed->job = job;
    timed->result.result = plan && plan->status                            ? plan->status
                           : packet_uses_key(request->op, request->flags) ? key_status(pool, curve, request)
                                                                         : ECCEL_OK;
    timed->request = *request;
    if (timed->result.result == ECCEL_OK) {
        keep_operands(timed, request, pool);
        begin(timed);
    } else {
        timed->computed = 1;
    }
    set_time(timed, plan, now);
    return 0;
}
