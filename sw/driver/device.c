/* A device: its life and its jobs. What its answers mean is in answers.c. See core.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <string.h>

void device_publish(struct device *device)
{
    atomic_store_explicit(&device->in_flight_now, device->sent.count, memory_order_relaxed);
    atomic_store_explicit(&device->queued_now, device->queued, memory_order_relaxed);
}

uint64_t device_cost(const struct device *device, const struct lane *lane, uint64_t unknown)
{
    uint64_t each = device->job_time ? device->job_time : unknown;
    uint64_t cost = (device->sent.count + device->queued + 1) * each;
    if (lane && lane->queue[device->index].place < 0 && !lane->queue[device->index].jobs.count)
        cost += device->load_time ? device->load_time : each;
    return cost;
}

static struct job_list *list_of(struct device *device, struct job *job)
{
    return job->lane && job->op != ECCEL_OP_ZEROISE ? &job->lane->queue[device->index].jobs : &device->plain;
}

void device_enqueue(struct device *device, struct job *job, int front)
{
    job->state = JOB_QUEUED;
    job->device = device;
    device->queued++;
    device->core->queued = 1;
    (front ? job_prepend : job_append)(list_of(device, job), job);
}

void device_dequeue(struct device *device, struct job *job)
{
    device->queued--;
    job_remove(list_of(device, job), job);
}

int device_issue(struct device *device, struct job *job, unsigned curve_id, uint64_t now)
{
    do {
        device->tag = (device->tag + 1) & TAG_MASK;
    } while (device->by_tag[device->tag % DEVICE_TAGS]);
    device->by_tag[device->tag % DEVICE_TAGS] = job;
    packet_address(job->packet, curve_id, device->tag);
    if (job->options & ECCEL_BLIND_IF_POSSIBLE)
        packet_blind(job->packet, !job->lane || !job->lane->queue[device->index].no_blinding);
    job->device = device;
    job->state = JOB_SENT;
    job->sent = now;
    job_append(&device->sent, job);
    device->words_out += job->words;
    device->link->ops->send(device->link, job->packet, job->words, now);
    return 0;
}

void device_start(struct device *device, uint64_t now)
{
    device->state = DEVICE_CONNECTING;
    device->timer = now + device->core->connect;
    device->probed = 0;
    int error = device->link->ops->start(device->link, now);
    if (error)
        device_fail(device, error, now);
}

/* Takes the curves out of the places. The slot of a server keeps its key. */
static void forget_all(struct device *device)
{
    for (unsigned i = 0; i < DEVICE_PLACES; i++) {
        struct lane *lane = device->place[i].lane;
        if (lane) {
            lane->queue[device->index].place = -1;
            device->test_lane = lane;
        }
        device->place[i] = (struct place){0};
    }
    for (struct lane *lane = device->core->lanes; lane; lane = lane->next) {
        lane->queue[device->index].no_blinding = 0; /* it may come back as another engine */
        if (lane->key == device && !device->is_server)
            lane->key = NULL;
    }
}

void device_fail(struct device *device, int error, uint64_t now)
{
    struct core *core = device->core;
    struct job_list sent = device->sent;
    /* A server that went away while nothing was asked of it may be back already: that says nothing about its engine. */
    int idle = device->state == DEVICE_UP && error == ECCEL_ERROR_LINK && !sent.count &&
               device->link->ops->survives_fork && now - device->up_since > core->retry;
    if (device->state == DEVICE_UP) {
        atomic_fetch_add(&device->failures, 1);
        device->suspect = !idle;
    }
    device->state = DEVICE_DOWN;
    device->first = idle;
    device->timer = idle ? now : now + core->retry;
    atomic_store(&device->in_service, 0);
    atomic_store(&device->last_error, idle ? 0 : error);
    device->link->ops->stop(device->link);
    forget_all(device);
    memset(device->by_tag, 0, sizeof device->by_tag);
    device->sent = (struct job_list){0};
    device->words_out = 0;
    while (sent.head) {
        struct job *job = sent.head;
        job_remove(&sent, job);
        if (job->kind == JOB_USER && job->state == JOB_SENT)
            core_move(core, job, error, now);
        else
            core_release(core, job);
    }
    /* What was not sent goes to another device as if it came now. */
    struct job_list waiting = {0};
    while (device->plain.head) {
        struct job *job = device->plain.head;
        device_dequeue(device, job);
        job_append(&waiting, job);
    }
    for (struct lane *lane = core->lanes; lane; lane = lane->next) {
        while (lane->queue[device->index].jobs.head) {
            struct job *job = lane->queue[device->index].jobs.head;
            device_dequeue(device, job);
            job_append(&waiting, job);
        }
        lane->queue[device->index].refused = 0; /* it may come back as another engine */
        lane->queue[device->index].refusal = 0;
    }
    while (waiting.head) {
        struct job *job = waiting.head;
        job_remove(&waiting, job);
        if (core_assign(core, job, now))
            core_finish(core, job, ECCEL_ERROR_ABSENT);
    }
    if (idle)
        device_start(device, now);
    device_publish(device);
}

void device_ban(struct device *device, uint64_t now)
{
    device_fail(device, ECCEL_SELF_TEST_FAILED, now);
    device->timer = NEVER - 1;
}

void device_check(struct device *device, int error, uint64_t now)
{
    if (error && device->state != DEVICE_DOWN)
        device_fail(device, error, now);
}

void device_tick(struct device *device, uint64_t now)
{
    if (now < device->timer)
        return;
    if (device->state == DEVICE_DOWN)
        device_start(device, now);
    else if (device->state != DEVICE_UP)
        device_fail(device, ECCEL_ERROR_ABSENT, now);
}
