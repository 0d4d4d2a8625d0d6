/* The pool of requests.
   SPDX-License-Identifier: Apache-2.0 */
#include "requests.h"

#include <stdlib.h>
#include <time.h>

#include "counters.h"

#define CHUNK 64

struct chunk {
    struct chunk *next;
    struct request requests[CHUNK];
};

static void make_locks(struct pool *pool)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->finished, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct pool *requests_new(struct counters *counters)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    make_locks(pool);
    pool->references = 1;
    pool->counters = counters;
    return pool;
}

void requests_leave(struct pool *pool)
{
    bool last = --pool->references == 0;
    pthread_mutex_unlock(&pool->lock);
    if (!last)
        return;
    for (struct chunk *chunk = pool->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        eccel_wipe(chunk, sizeof *chunk);
        free(chunk);
    }
    pthread_cond_destroy(&pool->finished);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void requests_forked(struct pool *pool)
{
    make_locks(pool); /* another thread of the parent may have held them */
    pool->free = NULL;
    for (struct chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next)
        for (struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++) {
            if (request->wake != NULL)
                request->wake->active = 0;
            *request = (struct request){.next_free = pool->free, .pool = pool, .generation = request->generation + 1};
            pool->free = request;
        }
}

static bool add_chunk(struct pool *pool)
{
    struct chunk *chunk = calloc(1, sizeof *chunk);
    if (chunk == NULL)
        return false;
    for (int i = 0; i < CHUNK; i++) {
        chunk->requests[i].pool = pool;
        chunk->requests[i].next_free = pool->free;
        pool->free = &chunk->requests[i];
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    return true;
}

struct request *requests_take(struct pool *pool)
{
    if (pool->free == NULL && !add_chunk(pool))
        return NULL;
    struct request *request = pool->free;
    pool->free = request->next_free;
    request->waiting = request->running = true;
    request->done = false;
    if (pool->counters != NULL)
        COUNT(pool->counters->requests);
    return request;
}

static void give_back(struct request *request)
{
    struct pool *pool = request->pool;
    if (request->waiting || request->running)
        return;
    eccel_wipe(&request->result, sizeof request->result);
    request->generation++;
    request->next_free = pool->free;
    pool->free = request;
    if (pool->counters != NULL)
        atomic_fetch_sub_explicit(&pool->counters->requests, 1, memory_order_relaxed);
}

void requests_stop_waiting(struct request *request)
{
    if (request->wake != NULL)
        request->wake->active--;
    request->wake = NULL;
    request->waiting = false;
    give_back(request);
}

void requests_completed(struct request *request)
{
    request->running = false;
    give_back(request);
}

unsigned requests_abandon(struct pool *pool, const struct wake *wake)
{
    unsigned count = 0;
    for (struct chunk *chunk = pool->chunks; chunk != NULL && wake->active > 0; chunk = chunk->next)
        for (struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++)
            if (request->wake == wake) {
                requests_stop_waiting(request);
                count++;
            }
    return count;
}

bool requests_any_done(const struct pool *pool, const struct wake *wake)
{
    for (const struct chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next)
        for (const struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++)
            if (request->wake == wake && request->done)
                return true;
    return false;
}
