/* When the jobs of a pool of engines would end. See schedule.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "schedule.h"

#include <stdlib.h>

int schedule_open(struct schedule *schedule)
{
    schedule->bay = calloc(schedule->engines, sizeof *schedule->bay);
    return schedule->bay ? 0 : -1;
}

void schedule_close(struct schedule *schedule)
{
    free(schedule->bay);
    schedule->bay = NULL;
}

static void begin(struct schedule *schedule, struct bay *bay, uint64_t now)
{
    const struct task *task = bay->first;
    uint64_t time = task->group_ns;
    if (bay->count < schedule->threads && schedule->threads > 1 && !task->single && task->alone_ns > schedule->wait_ns)
        time = task->alone_ns - schedule->wait_ns;
    bay->state = BAY_RUNNING;
    bay->at = now + time;
    schedule->busy_ns += time;
}

/* Puts a job, which is no longer in the queue, into an engine. */
static void enter(struct schedule *schedule, struct bay *bay, struct task *task, uint64_t now)
{
    task->next = NULL;
    if (bay->state == BAY_IDLE) {
        *bay = (struct bay){.state = BAY_COLLECTING, .first = task, .last = task, .at = now + schedule->wait_ns};
    } else {
        bay->last->next = task;
        bay->last = task;
    }
    bay->count++;
    schedule->served++;
    schedule->queued--;
    schedule->running++;
    if (bay->count == schedule->threads || task->single)
        begin(schedule, bay, now);
}

/* The engine that takes the job now, or NULL. */
static struct bay *place_for(struct schedule *schedule, const struct task *task)
{
    struct bay *idle = NULL;
    for (unsigned i = 0; i < schedule->engines; i++) {
        struct bay *bay = &schedule->bay[i];
        if (bay->state == BAY_COLLECTING && !task->single && bay->first->kind == task->kind)
            return bay;
        if (bay->state == BAY_IDLE && !idle)
            idle = bay;
    }
    return idle;
}

/* Begins groups that wait, as the next job does not fit. */
static void close_groups(struct schedule *schedule, uint64_t now)
{
    for (unsigned i = 0; i < schedule->engines; i++)
        if (schedule->bay[i].state == BAY_COLLECTING)
            begin(schedule, &schedule->bay[i], now);
}

/* Whether the pool goes on with its curve, although the oldest job is on another one. */
static int goes_on(const struct schedule *schedule, uint64_t now)
{
    if (schedule->served >= SCHEDULE_SHARE && now - schedule->first->arrived > SCHEDULE_TURN_NS)
        return 0;
    for (const struct task *task = schedule->first; task; task = task->next)
        if (task->curve == schedule->curve)
            return 1;
    return 0;
}

/* Loads the curve of the oldest job, if no engine has a job. */
static void change_curve(struct schedule *schedule, uint64_t now)
{
    close_groups(schedule, now);
    for (unsigned i = 0; i < schedule->engines; i++)
        if (schedule->bay[i].state != BAY_IDLE)
            return;
    schedule->curve = schedule->first->curve;
    schedule->loading = 1;
    schedule->curve_at = now + schedule->first->curve_ns;
    schedule->served = 0;
    schedule->curve_loads++;
}

/* Gives jobs to engines, from the oldest one on. */
static void dispatch(struct schedule *schedule, uint64_t now)
{
    struct task **link = &schedule->first, *before = NULL;
    unsigned passed = 0;
    if (schedule->loading || !schedule->first)
        return;
    if (schedule->first->curve != schedule->curve && !goes_on(schedule, now)) {
        change_curve(schedule, now);
        return;
    }
    while (*link) {
        struct task *task = *link;
        struct bay *bay = task->curve == schedule->curve ? place_for(schedule, task) : NULL;
        if (bay) {
            *link = task->next;
            if (schedule->last == task)
                schedule->last = before;
            enter(schedule, bay, task, now);
            continue;
        }
        if (task->curve == schedule->curve && ++passed >= schedule->window) {
            if (schedule->window == 1)
                close_groups(schedule, now);
            return;
        }
        before = task;
        link = &task->next;
    }
}

void schedule_add(struct schedule *schedule, struct task *task, uint64_t now)
{
    schedule_run(schedule, now);
    task->next = NULL;
    task->arrived = now;
    if (schedule->first)
        schedule->last->next = task;
    else
        schedule->first = task;
    schedule->last = task;
    schedule->queued++;
    dispatch(schedule, now);
}

static void finish(struct schedule *schedule, struct bay *bay)
{
    struct task *task = bay->first;
    uint64_t at = bay->at;
    *bay = (struct bay){.state = BAY_IDLE};
    while (task) {
        struct task *next = task->next;
        schedule->running--;
        schedule->end(schedule->context, task, at);
        task = next;
    }
}

uint64_t schedule_slack(const struct schedule *schedule)
{
    const struct bay *next = NULL;
    for (unsigned i = 0; i < schedule->engines; i++) {
        const struct bay *bay = &schedule->bay[i];
        if (bay->state != BAY_IDLE && (!next || bay->at < next->at))
            next = bay;
    }
    /* Enough have to wait for all engines to go on without an answer from the host. */
    if (!next || next->state != BAY_RUNNING || schedule->queued < 2 * (size_t)schedule->engines * schedule->threads)
        return 0;
    uint64_t slack = (next->at - next->first->arrived) / SCHEDULE_SLACK;
    return slack < SCHEDULE_SLACK_NS ? slack : SCHEDULE_SLACK_NS;
}

uint64_t schedule_run(struct schedule *schedule, uint64_t now)
{
    for (;;) {
        uint64_t at = schedule->loading ? schedule->curve_at : SCHEDULE_NEVER;
        struct bay *next = NULL;
        for (unsigned i = 0; i < schedule->engines; i++)
            if (schedule->bay[i].state != BAY_IDLE && schedule->bay[i].at < at) {
                next = &schedule->bay[i];
                at = next->at;
            }
        if (at > now || at == SCHEDULE_NEVER)
            return at;
        if (!next)
            schedule->loading = 0;
        else if (next->state == BAY_COLLECTING)
            begin(schedule, next, at);
        else
            finish(schedule, next);
        dispatch(schedule, at);
    }
}
