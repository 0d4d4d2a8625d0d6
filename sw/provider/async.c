/* Jobs that pause, and the descriptors that wake their event loops.
   SPDX-License-Identifier: Apache-2.0 */
#include "async.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "requests.h"

bool async_init(struct async *async, struct counters *counters)
{
    async->pool = requests_new(counters);
    return async->pool != NULL;
}

void async_cleanup(struct async *async)
{
    if (async->pool == NULL)
        return;
    pthread_mutex_lock(&async->pool->lock);
    async->pool->counters = NULL;
    requests_leave(async->pool);
    async->pool = NULL;
}

void async_forked(struct async *async)
{
    if (async->pool != NULL)
        requests_forked(async->pool);
}

/* ---- wait contexts */

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

static void wait_context_freed(ASYNC_WAIT_CTX *context, const void *key, OSSL_ASYNC_FD descriptor, void *data)
{
    struct wake *wake = data;
    struct pool *pool = wake->pool;
    (void)context;
    (void)key;
    pthread_mutex_lock(&pool->lock);
    unsigned abandoned = requests_abandon(pool, wake);
    if (pool->counters != NULL)
        atomic_fetch_add_explicit(&pool->counters->abandoned, abandoned, memory_order_relaxed);
    close(descriptor);
    free(wake);
    requests_leave(pool);
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

/* ---- jobs */

static void completed(void *user, const struct eccel_result *result)
{
    struct request *request = user;
    struct pool *pool = request->pool;
    pthread_mutex_lock(&pool->lock);
    request->done = true;
    if (request->waiting) {
        request->result = *result;
        if (request->wake != NULL)
            ring(request->wake);
        pthread_cond_broadcast(&pool->finished);
    }
    requests_completed(request);
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
    requests_stop_waiting(request);
    quiet(wake);
    if (wake->active > 0 && requests_any_done(pool, wake))
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
    struct request *mine = requests_take(pool);
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

    int outcome = eccel_submit(handle, request, completed, mine);

    pthread_mutex_lock(&pool->lock);
    if (outcome == 0) {
        outcome = wait_for(pool, mine, generation, result);
    } else {
        requests_stop_waiting(mine);
        requests_completed(mine);
        *result = (struct eccel_result){.result = outcome};
    }
    pthread_mutex_unlock(&pool->lock);
    return outcome;
}
