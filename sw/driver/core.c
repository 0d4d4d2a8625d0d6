/* The core: which device gets a job, and what becomes of it. See core.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <string.h>
#include <time.h>

uint64_t core_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void core_track(struct core *core, struct job *job, uint64_t deadline)
{
    job->deadline = deadline;
    job->later = NULL;
    job->earlier = core->last;
    *(core->last ? &core->last->later : &core->first) = job;
    core->last = job;
}

void core_untrack(struct core *core, struct job *job)
{
    *(job->earlier ? &job->earlier->later : &core->first) = job->later;
    *(job->later ? &job->later->earlier : &core->last) = job->earlier;
}

void core_release(struct core *core, struct job *job)
{
    core_untrack(core, job);
    if (job->lane)
        job->lane->jobs--;
    job_wipe(job);
    job_append(&core->freed, job);
}

/* Gives the user an error. The job stays as it is. */
static void tell(struct core *core, struct job *job, int error)
{
    struct eccel_result result;
    memset(&result, 0, sizeof result);
    result.result = error;
    result.device = job->device ? job->device->index : 0;
    atomic_fetch_sub(&core->held, 1);
    job->done(job->user, &result);
}

void core_finish(struct core *core, struct job *job, int error)
{
    if (job->kind == JOB_USER && job->state != JOB_ABANDONED)
        tell(core, job, error);
    core_release(core, job);
}

/* What to say if no device can have the job. */
static int reason(const struct core *core, const struct job *job)
{
    int up = 0, refusal = 0;
    for (unsigned i = 0; i < core->devices; i++) {
        const struct device *device = core->device[i];
        if (device->state != DEVICE_UP || (job->target >= 0 && (unsigned)job->target != i))
            continue;
        up = 1;
        if (job->lane && lane_refusal(job->lane, device))
            refusal = lane_refusal(job->lane, device);
    }
    if (!up)
        return ECCEL_ERROR_ABSENT;
    if (job->tried)
        return ECCEL_NO_KEY;
    if (refusal && !job->lane->source)
        return refusal; /* a curve of the user's own may be wrong; those of the catalogue are not */
    return packet_sets_key(job->op) && !refusal ? ECCEL_KEY_REFUSED : ECCEL_ERROR_UNSUPPORTED;
}

static int eligible(const struct device *device, const struct job *job, enum device_state state)
{
    if (state == DEVICE_UP ? device->state != DEVICE_UP : !device->first)
        return 0;
    if (job->target >= 0 && (unsigned)job->target != device->index)
        return 0;
    return !(job->tried >> device->index & 1) && (!job->lane || device_takes(device, job->lane));
}

/* A curve for a self-test that names none: one that the device has, or the first that it has not refused. */
static void choose_curve(struct core *core, struct job *job)
{
    const struct device *device = core->device[job->target];
    struct lane *lane = NULL;
    for (lane = core->lanes; lane; lane = lane->next) {
        if (lane->queue[device->index].place >= 0)
            break;
    }
    for (size_t i = 0; !lane && i < catalogue_size; i++) {
        lane = lane_of(core, &catalogue[i]);
        if (lane && !device_takes(device, lane))
            lane = NULL;
    }
    if (lane) {
        job->lane = lane;
        lane->jobs++;
        job->packet[1] = (job->packet[1] & 0xffffff) | lane->curve.words << 24;
    }
}

int core_assign(struct core *core, struct job *job, uint64_t now)
{
    struct device *best = NULL;
    uint64_t cost = NEVER, unknown = 1000;
    (void)now;
    if (job->op == ECCEL_OP_SELF_TEST && !job->curve && job->target >= 0) {
        if (job->lane)
            job->lane->jobs--;
        job->lane = NULL;
        choose_curve(core, job);
        if (!job->lane)
            return reason(core, job);
    }
    int bound = packet_uses_key(job->op, job->flags) || packet_sets_key(job->op);
    if (bound && job->lane->key && job->target < 0) {
        if (job->lane->key->state != DEVICE_UP)
            return ECCEL_ERROR_ABSENT;
        best = job->lane->key;
    }
    for (unsigned i = 0; i < core->devices; i++) {
        if (core->device[i]->job_time)
            unknown = core->device[i]->job_time;
    }
    for (int state = DEVICE_UP; !best && state >= DEVICE_PROBING; state--) {
        for (unsigned i = 0; i < core->devices; i++) {
            struct device *device = core->device[i];
            if (!eligible(device, job, (enum device_state)state))
                continue;
            uint64_t its = device_cost(device, job->lane, unknown);
            if (its < cost) {
                cost = its;
                best = device;
            }
        }
    }
    if (!best)
        return reason(core, job);
    device_enqueue(best, job, 0);
    return 0;
}

void core_accept(struct core *core, struct job *job, uint64_t now)
{
    core_track(core, job, job->deadline);
    if (job->curve) {
        job->lane = lane_of(core, job->curve);
        if (!job->lane) {
            core_finish(core, job, ECCEL_ERROR_MEMORY);
            return;
        }
        job->lane->jobs++;
        if (!packet_suits(job->op, job->lane->curve.kind)) {
            core_finish(core, job, ECCEL_BAD_CURVE);
            return;
        }
    }
    int error = core_assign(core, job, now);
    if (error)
        core_finish(core, job, error);
}

void core_move(struct core *core, struct job *job, int error, uint64_t now)
{
    int bound = packet_uses_key(job->op, job->flags) || packet_sets_key(job->op) || job->target >= 0;
    if (bound || job->moved || (job->cancelled && atomic_load(job->cancelled))) {
        core_finish(core, job, error);
        return;
    }
    job->moved = 1;
    if (core_assign(core, job, now))
        core_finish(core, job, error);
}

/* The time of a job is over. */
static void expire(struct core *core, struct job *job, uint64_t now)
{
    struct device *device = job->device;
    if (job->state == JOB_QUEUED) {
        device_dequeue(device, job);
        core_finish(core, job, ECCEL_ERROR_TIMEOUT);
        return;
    }
    /* It is with a device. If the device has answered other jobs since, it is only slow; the tag stays with it. */
    if (job->kind == JOB_USER && job->state == JOB_SENT && device->last_answer > job->sent) {
        tell(core, job, ECCEL_ERROR_TIMEOUT);
        job_wipe(job);
        job->state = JOB_ABANDONED;
        core_untrack(core, job);
        core_track(core, job, now + core->timeout);
        return;
    }
    job->moved = 1; /* its time is over: it goes nowhere else */
    device_fail(device, ECCEL_ERROR_TIMEOUT, now);
}

uint64_t core_work(struct core *core, uint64_t now)
{
    uint64_t due = NEVER;
    while (core->first && core->first->deadline <= now)
        expire(core, core->first, now);
    for (unsigned i = 0; i < core->devices; i++) {
        struct device *device = core->device[i];
        if (atomic_load(&device->banned) && device->timer != NEVER - 1)
            device_ban(device, now);
        device_tick(device, now);
    }
    do { /* a device may pass jobs on to one that had its turn before */
        core->queued = 0;
        for (unsigned i = 0; i < core->devices; i++)
            device_serve(core->device[i], now);
    } while (core->queued);
    for (unsigned i = 0; i < core->devices; i++) {
        struct device *device = core->device[i];
        if (device->state != DEVICE_DOWN) {
            int error = device->link->ops->flush(device->link, now);
            if (error) {
                device_fail(device, error, now);
                due = now; /* other devices may have got its jobs */
            }
        }
        device_publish(device);
    }
    for (unsigned i = 0; i < core->devices; i++) {
        const struct device *device = core->device[i];
        uint64_t link = device->state == DEVICE_DOWN ? NEVER : device->link->ops->due(device->link, now);
        if (device->timer < due)
            due = device->timer;
        if (link < due)
            due = link;
    }
    if (core->first && core->first->deadline < due)
        due = core->first->deadline;
    return due;
}

void core_end(struct core *core, int result)
{
    for (unsigned i = 0; i < core->devices; i++) {
        struct device *device = core->device[i];
        if (device->state != DEVICE_DOWN)
            device->link->ops->stop(device->link);
        device->state = DEVICE_DOWN;
    }
    while (core->first)
        core_finish(core, core->first, result);
}
