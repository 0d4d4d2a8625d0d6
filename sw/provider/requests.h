/* Requests of asynchronous jobs, in a pool that outlives the jobs.
   SPDX-License-Identifier: Apache-2.0

   A request belongs to two: to the job that waits for it, and to the completion that will come. It goes back into the
   pool when neither needs it, and gets a new generation, so that a job that wakes up too late does not take the request
   of another one for its own. Memory of the pool is never given back while the pool exists: a job may always look.

   All functions but the first need pool->lock, which is held for a few instructions only. */
#ifndef ECCEL_PROVIDER_REQUESTS_H
#define ECCEL_PROVIDER_REQUESTS_H

#include <eccel.h>
#include <pthread.h>
#include <stdbool.h>

struct counters;
struct chunk;

struct wake { /* one for each wait context and pool; freed with the wait context */
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

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    unsigned references;       /* the provider and each wake */
    struct counters *counters; /* NULL after the provider has gone */
    struct chunk *chunks;
    struct request *free;
};

struct pool *requests_new(struct counters *counters);

/* Gives up one reference, and the lock. */
void requests_leave(struct pool *pool);

/* In the child of a fork, without the lock: makes the locks anew and takes all requests back. */
void requests_forked(struct pool *pool);

/* A request with both owners. NULL if there is no memory. */
struct request *requests_take(struct pool *pool);

/* The job, or the completion, does not need the request any more. */
void requests_stop_waiting(struct request *request);
void requests_completed(struct request *request);

/* Takes every request away from its job that refers to `wake`; returns their number. */
unsigned requests_abandon(struct pool *pool, const struct wake *wake);

/* Whether a request that refers to `wake` has its result. */
bool requests_any_done(const struct pool *pool, const struct wake *wake);

#endif
