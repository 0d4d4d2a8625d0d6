/* Operations in several threads, each of which waits for its result: the way of a server with a thread or process for
   each connection.
   SPDX-License-Identifier: Apache-2.0

   The main thread keeps the time. Each thread has books of its own, which are added at the end; what it did outside
   the measured time is left out by looking at the phase when an operation ends. */
#define _POSIX_C_SOURCE 200809L

#include "drive.h"
#include "period.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct shared {
    const struct plan *plan;
    atomic_int phase;     /* of the period */
    atomic_ullong left;   /* operations that may start, for plan->count */
    atomic_ullong errors;
};

struct runner {
    struct shared *shared;
    struct work *work;
    struct outcome outcome;
    atomic_int done;
    pthread_t thread;
};

static int may_start(struct shared *shared)
{
    if (atomic_load(&shared->phase) == PERIOD_OVER || atomic_load(&shared->errors) >= shared->plan->max_errors)
        return 0;
    if (!shared->plan->count)
        return 1;
    unsigned long long left = atomic_load(&shared->left);
    while (left && !atomic_compare_exchange_weak(&shared->left, &left, left - 1))
        ;
    return left > 0;
}

static void *run(void *argument)
{
    struct runner *runner = argument;
    struct shared *shared = runner->shared;
    while (may_start(shared)) {
        const uint64_t begun = meter_now();
        if (work_run(runner->work) <= 0) {
            runner->outcome.errors++;
            atomic_fetch_add(&shared->errors, 1);
            drive_error(&runner->outcome, NULL);
        } else if (atomic_load(&shared->phase) == PERIOD_MEASURED) {
            runner->outcome.operations++;
            latency_add(&runner->outcome.latencies, meter_now() - begun);
        }
    }
    OPENSSL_thread_stop();
    atomic_store(&runner->done, 1);
    return NULL;
}

static unsigned running(struct runner *runners, unsigned count)
{
    unsigned still = 0;
    for (unsigned i = 0; i < count; i++)
        still += !atomic_load(&runners[i].done);
    return still;
}

/* Keeps the time until all threads have ended, or until the patience is over. Returns how many have not. */
static unsigned keep_time(struct period *period, struct shared *shared, struct runner *runners, unsigned count)
{
    const struct timespec pause = {0, 1000000};
    uint64_t give_up = 0;
    for (;;) {
        const unsigned still = running(runners, count);
        if (!still && period->phase != PERIOD_OVER)
            period->next = 0; /* all is done before the time */
        period_tick(period);
        atomic_store(&shared->phase, period->phase);
        if (period->phase == PERIOD_OVER && !give_up)
            give_up = meter_now() + (uint64_t)(period->plan->patience * 1e9);
        if ((!still && period->phase == PERIOD_OVER) || (give_up && meter_now() > give_up))
            return still;
        nanosleep(&pause, NULL);
    }
}

/* Adds the books of the threads, checks their last results, and frees them. */
static void gather(struct outcome *outcome, struct runner *runners, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        pthread_join(runners[i].thread, NULL);
        outcome->operations += runners[i].outcome.operations;
        outcome->errors += runners[i].outcome.errors;
        latency_merge(&outcome->latencies, &runners[i].outcome.latencies);
        if (runners[i].outcome.message[0])
            drive_error(outcome, runners[i].outcome.message);
        outcome->checked++;
        outcome->wrong += !work_check(runners[i].work);
        work_free(runners[i].work);
    }
    free(runners);
}

int drive_threads(const struct plan *plan, struct subject *subject, struct outcome *outcome)
{
    struct shared shared = {.plan = plan, .phase = PERIOD_WARM, .left = plan->count};
    struct runner *runners = calloc(plan->jobs, sizeof *runners);
    struct period period;
    unsigned made = 0;
    int ready = runners != NULL;
    for (unsigned i = 0; ready && i < plan->jobs; i++) {
        runners[i].shared = &shared;
        runners[i].work = work_new(subject, i);
        ready = runners[i].work != NULL;
    }
    period_begin(&period, plan, outcome);
    atomic_store(&shared.phase, period.phase);
    while (ready && made < plan->jobs) {
        ready = !pthread_create(&runners[made].thread, NULL, run, &runners[made]);
        made += ready != 0;
    }
    if (!ready) {
        drive_error(outcome, made ? "a thread could not be started" : NULL);
        atomic_store(&shared.phase, PERIOD_OVER);
        for (unsigned i = made; runners && i < plan->jobs; i++)
            work_free(runners[i].work);
    }
    if (ready)
        outcome->stuck = keep_time(&period, &shared, runners, made);
    if (!outcome->stuck && runners)
        gather(outcome, runners, made);
    if (ready)
        period_results(&period);
    return ready;
}
