/* The pool of asynchronous requests.
   SPDX-License-Identifier: Apache-2.0

   One lock protects the pool, the requests and the descriptors. It is held for a few instructions or for one write to an
   eventfd, never during a call of libeccel or OpenSSL. */
#include "async.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"

#define CHUNK 64

struct wake { /* one for each wait context, freed with it */
    struct pool *pool;
    int descriptor;
    unsigned active; /* requests that refer to it */
};

struct request {
    struct request *next_free;
    struct pool *pool;
    struct wake *wake; /* NULL: nobody waits */
    unsigned generation;
    bool waiting; /* the job will ask for the result */
    bool running; /* a completion will come */
    bool done;
    struct eccel_result result;
};

struct chunk {
    struct chunk *next;
    struct request requests[CHUNK];
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    unsigned references; /* the provider and each wake */
    struct counters *counters;
    struct chunk *chunks;
    struct request *free;
};

static void pool_locks(struct pool *pool)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->finished, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool async_init(struct async *async, struct counters *counters)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return false;
    pool_locks(pool);
    pool->references = 1;
    pool->counters = counters;
    async->pool = pool;
    return true;
}

/* Gives up one reference. Called with the lock held; it is released. */
static void pool_leave(struct pool *pool)
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

void async_cleanup(struct async *async)
{
    if (async->pool == NULL)
        return;
    pthread_mutex_lock(&async->pool->lock);
    async->pool->counters = NULL;
    pool_leave(async->pool);
    async->pool = NULL;
}

void async_forked(struct async *async)
{
    struct pool *pool = async->pool;
    if (pool == NULL)
        return;
    pool_locks(pool); /* another thread of the parent may have held them */
    pool->free = NULL;
    for (struct chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next)
        for (struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++) {
            if (request->wake != NULL)
                request->wake->active = 0;
            *request = (struct request){.next_free = pool->free, .pool = pool, .generation = request->generation + 1};
            pool->free = request;
        }
}

/* ---- requests: called with the lock held */

static struct request *take(struct pool *pool)
{
    if (pool->free == NULL) {
        struct chunk *chunk = calloc(1, sizeof *chunk);
        if (chunk == NULL)
            return NULL;
        for (int i = 0; i < CHUNK; i++) {
            chunk->requests[i].pool = pool;
            chunk->requests[i].next_free = pool->free;
            pool->free = &chunk->requests[i];
        }
        chunk->next = pool->chunks;
        pool->chunks = chunk;
    }
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

/* The job does not ask for this request any more. */
static void stop_waiting(struct request *request)
{
    if (request->wake != NULL)
        request->wake->active--;
    request->wake = NULL;
    request->waiting = false;
    give_back(request);
}

/* ---- wait contexts */

static void wait_context_freed(ASYNC_WAIT_CTX *context, const void *key, OSSL_ASYNC_FD descriptor, void *data)
{
    struct wake *wake = data;
    struct pool *pool = wake->pool;
    (void)context;
    (void)key;
    pthread_mutex_lock(&pool->lock);
    for (struct chunk *chunk = pool->chunks; chunk != NULL && wake->active > 0; chunk = chunk->next)
        for (struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++)
            if (request->wake == wake) {
                if (pool->counters != NULL)
                    COUNT(pool->counters->abandoned);
                stop_waiting(request);
            }
    close(descriptor);
    free(wake);
    pool_leave(pool);
}

static struct wake *find_wake(struct pool *pool, ASYNC_WAIT_CTX *context)
{
    OSSL_ASYNC_FD descriptor;
    void *data;
    /* The pool is the key: two instances of the provider may share a wait context. */
    if (ASYNC_WAIT_CTX_get_fd(context, pool, &descriptor, &data))
        return data;
    struct wake *wake = calloc(1, sizeof *wake);
    if (wake == NULL)
        return NULL;
    wake->pool = pool;
    wake->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake->descriptor < 0 ||
        !ASYNC_WAIT_CTX_set_wait_fd(context, pool, wake->descriptor, wake, wait_context_freed)) {
        if (wake->descriptor >= 0)
            close(wake->descriptor);
        free(wake);
        return NULL;
    }
    pthread_mutex_lock(&pool->lock);
    pool->references++;
    pthread_mutex_unlock(&pool->lock);
    return wake;
}

/* An eventfd that does not block fails only if it is full, and then it is readable as well. */
static void ring(const struct wake *wake)
{
    const uint64_t one = 1;
    ssize_t written = write(wake->descriptor, &one, sizeof one);
    (void)written;
}

static void quiet(const struct wake *wake)
{
    uint64_t count;
    ssize_t got = read(wake->descriptor, &count, sizeof count);
    (void)got;
}

static bool any_done(const struct pool *pool, const struct wake *wake)
{
    for (const struct chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next)
        for (const struct request *request = chunk->requests; request < chunk->requests + CHUNK; request++)
            if (request->wake == wake && request->done)
                return true;
    return false;
}

/* ---- jobs */

static void completed(void *user, const struct eccel_result *result)
{
    struct request *request = user;
    struct pool *pool = request->pool;
    pthread_mutex_lock(&pool->lock);
    request->running = false;
    request->done = true;
    if (request->waiting) {
        request->result = *result;
        if (request->wake != NULL)
            ring(request->wake);
        pthread_cond_broadcast(&pool->finished);
    }
    give_back(request);
    pthread_mutex_unlock(&pool->lock);
}

/* Waits a little for any completion: for jobs that cannot pause at present. */
static void nap(struct pool *pool, const struct request *request)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    if (!request->done)
        pthread_cond_timedwait(&pool->finished, &pool->lock, &until);
}

/* Called with the lock held; releases it while the job is paused. */
static int wait_for(struct pool *pool, struct request *request, unsigned generation, struct eccel_result *result)
{
    for (unsigned resumed = 0;; resumed++) {
        if (request->generation != generation || !request->waiting)
            return ASYNC_RUN_ABANDONED;
        if (request->done)
            break;
        if (resumed > 1)
            nap(pool, request); /* resumed without cause, or pausing is blocked: do not spin */
        pthread_mutex_unlock(&pool->lock);
        ASYNC_pause_job();
        pthread_mutex_lock(&pool->lock);
    }
    struct wake *wake = request->wake;
    *result = request->result;
    stop_waiting(request);
    quiet(wake);
    if (wake->active > 0 && any_done(pool, wake))
        ring(wake); /* for another job of the same wait context */
    return result->result;
}

int async_run(struct async *async, ASYNC_JOB *job, eccel *handle, const struct eccel_request *request,
              struct eccel_result *result)
{
    struct pool *pool = async->pool;
    struct wake *wake = find_wake(pool, ASYNC_get_wait_ctx(job));
    if (wake == NULL)
        return ASYNC_RUN_UNAVAILABLE;
    pthread_mutex_lock(&pool->lock);
    struct request *mine = take(pool);
    if (mine == NULL) {
        pthread_mutex_unlock(&pool->lock);
        return ASYNC_RUN_UNAVAILABLE;
    }
    unsigned generation = mine->generation;
    mine->wake = wake;
    wake->active++;
    if (pool->counters != NULL)
        COUNT(pool->counters->paused);
    pthread_mutex_unlock(&pool->lock);

    int submitted = eccel_submit(handle, request, completed, mine);

    pthread_mutex_lock(&pool->lock);
    if (submitted != 0) {
        mine->running = false;
        stop_waiting(mine);
        *result = (struct eccel_result){.result = submitted};
    }
    int outcome = submitted != 0 ? submitted : wait_for(pool, mine, generation, result);
    pthread_mutex_unlock(&pool->lock);
    return outcome;
}
