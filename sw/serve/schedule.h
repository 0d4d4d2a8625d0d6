/* When the jobs of a pool of engines would end: a simulation of its queue, groups and engines in real time.
   SPDX-License-Identifier: Apache-2.0

   The rules are those of the dispatcher and of the turbo engine (docs/theory/dispatch.md, docs/theory/ecp_turbo.md):
   jobs of one kind and curve form a group, which takes as long for one job as for all; an engine begins when its group
   is full, when `wait` is over, or, if the order is kept, when the next job does not fit. Jobs of another curve wait
   until all engines are idle; then the curve is loaded. Times are planned times, so that a late call delays nothing.
   A schedule does no work and knows no clock. All times are nanoseconds. */
#ifndef SERVE_SCHEDULE_H
#define SERVE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#define SCHEDULE_NEVER UINT64_MAX

enum {
    SCHEDULE_SLACK = 20,              /* fraction of the time of a job by which it may be late */
    SCHEDULE_SLACK_NS = 200 * 1000,   /* but not by more */
    SCHEDULE_SHARE = 64,              /* jobs of one curve before jobs of another one, if that waits longer than */
    SCHEDULE_TURN_NS = 20 * 1000000   /* this time */
};

/* A job in a schedule. Its user sets all but `next` and `arrived`. */
struct task {
    struct task *next;
    uint64_t arrived;
    const void *curve;      /* jobs of other curves cannot run at the same time */
    uint64_t curve_ns;      /* to load that curve */
    uint32_t kind;          /* jobs of other kinds cannot be in a group with it */
    int single;             /* it is a group of its own, and does not wait */
    uint64_t alone_ns;      /* with the wait */
    uint64_t group_ns;
};

enum bay_state { BAY_IDLE, BAY_COLLECTING, BAY_RUNNING };

struct bay {
    enum bay_state state;
    unsigned count;
    struct task *first, *last;
    uint64_t at;            /* when it begins, or ends */
};

struct schedule {
    unsigned engines, threads, window;
    uint64_t wait_ns;
    struct bay *bay;
    struct task *first, *last;
    size_t queued, running;
    const void *curve;
    unsigned served;        /* since the curve was loaded */
    int loading;            /* the curve is being loaded, until */
    uint64_t curve_at;
    uint64_t busy_ns;       /* of all engines together, of groups that have begun */
    uint64_t curve_loads;
    void (*end)(void *context, struct task *task, uint64_t at);
    void *context;
};

/* Makes a schedule; end, context and the sizes are set by the user. Returns 0 or -1. */
int schedule_open(struct schedule *schedule);
void schedule_close(struct schedule *schedule);

/* A job comes. Times may not decrease from call to call. */
void schedule_add(struct schedule *schedule, struct task *task, uint64_t now);

/* By how much the next call may be late: a twentieth of the time that the next job to end has been here, if others
   wait, so that the engine does not. Answers then leave in small batches, as with a device that coalesces its
   interrupts. 0 if no others wait. */
uint64_t schedule_slack(const struct schedule *schedule);

/* Calls `end` for all jobs that have ended by now, in order. Returns the time of the next call, or
   SCHEDULE_NEVER. */
uint64_t schedule_run(struct schedule *schedule, uint64_t now);

#endif
