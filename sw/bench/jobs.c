/* Many asynchronous jobs of OpenSSL in one thread: the way of a server with an event loop.
   SPDX-License-Identifier: Apache-2.0

   Each job has a wait context of its own. A job that pauses is resumed when one of the descriptors of its wait context
   can be read. A provider that does not pause finishes each job at once; the jobs then run one after the other. */
#define _POSIX_C_SOURCE 200809L

#include "drive.h"
#include "period.h"

#include <errno.h>
#include <openssl/async.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { EVENTS = 256, TICK_MS = 20, MAX_DESCRIPTORS = 16 };

struct slot {
    struct work *work;
    ASYNC_JOB *job; /* NULL: no job */
    ASYNC_WAIT_CTX *wait;
    uint64_t begun;
    int queued; /* it is in the list of those that can go on */
};

struct loop {
    struct period period;
    struct slot *slots, **ready, **next; /* ready: to go on now; next: in the round after */
    unsigned count, ready_count, next_count, live;
    int epoll;
};

static int body(void *argument)
{
    return work_run(*(struct work **)argument);
}

/* Follows what the job has done to the descriptors of its wait context. Returns 0 if it has none. */
static int follow_descriptors(struct loop *loop, struct slot *slot)
{
    OSSL_ASYNC_FD added[MAX_DESCRIPTORS], removed[MAX_DESCRIPTORS];
    size_t add = 0, remove = 0, all = 0;
    if (!ASYNC_WAIT_CTX_get_changed_fds(slot->wait, NULL, &add, NULL, &remove) || add > MAX_DESCRIPTORS ||
        remove > MAX_DESCRIPTORS || !ASYNC_WAIT_CTX_get_changed_fds(slot->wait, added, &add, removed, &remove))
        return 0;
    for (size_t i = 0; i < remove; i++)
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, removed[i], NULL); /* fails if it is closed already */
    for (size_t i = 0; i < add; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = slot};
        if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, added[i], &event) && errno == EEXIST)
            epoll_ctl(loop->epoll, EPOLL_CTL_MOD, added[i], &event);
    }
    return ASYNC_WAIT_CTX_get_all_fds(slot->wait, NULL, &all) && all;
}

static void later(struct loop *loop, struct slot *slot)
{
    if (!slot->queued) {
        slot->queued = 1;
        loop->next[loop->next_count++] = slot;
    }
}

/* Starts or resumes the job of a slot, and asks for its next turn. */
static void run(struct loop *loop, struct slot *slot)
{
    int result = 0;
    if (!slot->job) {
        if (!period_start(&loop->period))
            return;
        slot->begun = meter_now();
        loop->live++;
    }
    switch (ASYNC_start_job(&slot->job, slot->wait, &result, body, &slot->work, sizeof slot->work)) {
    case ASYNC_PAUSE:
        loop->period.outcome->pauses++;
        if (!follow_descriptors(loop, slot))
            later(loop, slot); /* nothing to wait for: it has to ask again */
        return;
    case ASYNC_FINISH:
        follow_descriptors(loop, slot);
        break;
    case ASYNC_NO_JOBS:
        drive_error(loop->period.outcome, "OpenSSL has no asynchronous job left");
        break;
    default:
        drive_error(loop->period.outcome, NULL);
    }
    slot->job = NULL;
    loop->live--;
    period_finished(&loop->period, slot->begun, result > 0);
    later(loop, slot);
}

/* Waits for descriptors, not at all if there is other work. */
static void wait_for_descriptors(struct loop *loop)
{
    struct epoll_event events[EVENTS];
    const int found = epoll_wait(loop->epoll, events, EVENTS, loop->next_count ? 0 : TICK_MS);
    for (int i = 0; i < found; i++)
        later(loop, events[i].data.ptr);
}

static void run_all(struct loop *loop)
{
    const double patience = loop->period.plan->patience;
    uint64_t give_up = 0;
    for (unsigned i = 0; i < loop->count; i++)
        later(loop, &loop->slots[i]);
    while (loop->live || loop->period.phase != PERIOD_OVER) {
        struct slot **turn = loop->next;
        loop->next = loop->ready;
        loop->ready = turn;
        loop->ready_count = loop->next_count;
        loop->next_count = 0;
        for (unsigned i = 0; i < loop->ready_count; i++) {
            loop->ready[i]->queued = 0;
            run(loop, loop->ready[i]);
        }
        period_tick(&loop->period);
        if (loop->live)
            wait_for_descriptors(loop);
        if (loop->period.phase == PERIOD_OVER && !give_up)
            give_up = meter_now() + (uint64_t)(patience * 1e9);
        if (give_up && meter_now() > give_up)
            break;
    }
    loop->period.outcome->stuck = loop->live;
}

static int open_slots(struct loop *loop, struct subject *subject, unsigned count)
{
    loop->count = count;
    loop->slots = calloc(count, sizeof *loop->slots);
    loop->ready = calloc(count, sizeof(struct slot *));
    loop->next = calloc(count, sizeof(struct slot *));
    loop->epoll = epoll_create1(0);
    if (!loop->slots || !loop->ready || !loop->next || loop->epoll < 0)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        loop->slots[i].work = work_new(subject, i);
        loop->slots[i].wait = ASYNC_WAIT_CTX_new();
        if (!loop->slots[i].work || !loop->slots[i].wait)
            return 0;
    }
    return 1;
}

/* A job that did not end still uses its slot: then nothing is freed. */
static void close_slots(struct loop *loop)
{
    if (loop->live)
        return;
    for (unsigned i = 0; loop->slots && i < loop->count; i++) {
        work_free(loop->slots[i].work);
        ASYNC_WAIT_CTX_free(loop->slots[i].wait);
    }
    free(loop->slots);
    free(loop->ready);
    free(loop->next);
    if (loop->epoll >= 0)
        close(loop->epoll);
}

int drive_jobs(const struct plan *plan, struct subject *subject, struct outcome *outcome)
{
    struct loop loop = {.epoll = -1};
    if (!ASYNC_is_capable() || !ASYNC_init_thread(plan->jobs, 0)) {
        drive_error(outcome, "OpenSSL has no asynchronous jobs on this platform");
        return 0;
    }
    const int ready = open_slots(&loop, subject, plan->jobs);
    if (ready) {
        period_begin(&loop.period, plan, outcome);
        run_all(&loop);
        period_results(&loop.period);
        for (unsigned i = 0; i < plan->jobs && !loop.live; i++) {
            outcome->checked++;
            outcome->wrong += !work_check(loop.slots[i].work);
        }
    } else {
        drive_error(outcome, NULL);
    }
    close_slots(&loop);
    if (!outcome->stuck)
        ASYNC_cleanup_thread();
    return ready;
}
