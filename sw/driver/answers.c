/* What the answers of a device mean: for the user, for its curves, for its key slot, and for the device. See core.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include <string.h>

enum { MOST_RELOADS = 8 /* of the curve for one job, if another master of the engine takes it away; of entropy */ };

/* Measures the time that a job takes: since the answer before, if the device was busy in between. */
static void measure(uint64_t *average, const struct device *device, const struct job *job, uint64_t now)
{
    uint64_t from = job->sent > device->last_answer ? job->sent : device->last_answer;
    uint64_t took = now > from ? now - from : 1;
    *average = *average ? (7 * *average + took + 7) / 8 : took;
}

/* The answer to CURVE_LOAD. Returns an error for which the device is taken out. */
static int loaded(struct device *device, struct job *job, unsigned status, uint64_t now)
{
    struct place *place = &device->place[job->place];
    struct queue *queue = &job->lane->queue[device->index];
    place->loading = 0;
    if (status == ECCEL_OK) {
        place->since = now;
        measure(&device->load_time, device, job, now);
        return 0;
    }
    device_forget_curve(device, job->lane);
    if (status == ECCEL_ENGINE_FAULT || status == ECCEL_WATCHDOG || status == ECCEL_FAULT ||
        status == ECCEL_ENTROPY_FAILED)
        return (int)status;
    if (status == ECCEL_ZEROISED)
        return 0; /* try again */
    queue->refused = device->is_server ? NEVER : queue->refused | UINT64_C(1) << job->place;
    queue->refusal = (int)status;
    return 0;
}

/* Notes what the answer says about the key slot. */
static void note_key(struct device *device, struct job *job, unsigned status)
{
    struct place *place = job->lane ? &device->place[job->place] : NULL;
    int there = (packet_sets_key(job->op) && status <= ECCEL_INFINITY) ||
                (packet_uses_key(job->op, job->flags) && (status <= ECCEL_INFINITY || status == ECCEL_KEY_REFUSED));
    if (there) {
        place->key = 1;
        job->lane->key = device;
    } else if (packet_uses_key(job->op, job->flags) && status == ECCEL_NO_KEY) {
        place->key = 0;
        if (job->lane->key == device)
            job->lane->key = NULL;
    } else if ((job->op == ECCEL_OP_ZEROISE && status == ECCEL_OK) || status == ECCEL_ZEROISED) {
        for (unsigned i = 0; i < device->places; i++)
            device->place[i].key = 0;
        for (struct lane *lane = device->core->lanes; lane; lane = lane->next) {
            if (lane->key == device)
                lane->key = NULL;
        }
    }
}

/* 1 if the job goes on: its curve was lost, the engine does not blind, its entropy came late, or the key may be in
   another device. */
static int again(struct device *device, struct job *job, unsigned status, uint64_t now)
{
    /* BAD_LENGTH: the curve of another master has elements of another length. The length of ours is right. */
    int lost = status == ECCEL_BAD_CURVE || status == ECCEL_BAD_LENGTH;
    if (lost && job->lane && job->op != ECCEL_OP_ZEROISE && job->reloads < MOST_RELOADS) {
        job->reloads++;
        const struct queue *queue = &job->lane->queue[device->index];
        /* Only the first of several such answers unloads the curve: later ones are of the load before. */
        if (queue->place >= 0 && device->place[queue->place].curve_id == (job->packet[0] >> 8 & 0xff) &&
            !device->place[queue->place].loading)
            device_forget_curve(device, job->lane);
        device_enqueue(device, job, 1);
        return 1;
    }
    if (status == ECCEL_NO_ENTROPY && device->link->ops->feeds_entropy && job->reloads < MOST_RELOADS) {
        job->reloads++;
        device_enqueue(device, job, 1);
        return 1;
    }
    if (status == ECCEL_BAD_OP && job->lane && job->options & ECCEL_BLIND_IF_POSSIBLE && packet_blinded(job->packet)) {
        job->lane->queue[device->index].no_blinding = 1;
        device_enqueue(device, job, 1);
        return 1;
    }
    if (status == ECCEL_NO_KEY && job->target < 0 && packet_uses_key(job->op, job->flags)) {
        job->tried |= UINT32_C(1) << device->index;
        return !core_assign(device->core, job, now);
    }
    return 0;
}

/* Gives the user the result. Returns an error for which the device is taken out. */
static int deliver(struct device *device, struct job *job, const uint32_t *response, uint64_t cycles)
{
    struct core *core = device->core;
    struct eccel_result result;
    memset(&result, 0, sizeof result);
    int error = packet_read(&result, response, job->packet[1] >> 24, job->result_bytes);
    if (error) {
        core_finish(core, job, error);
    } else {
        result.cycles = cycles;
        result.device = device->index;
        atomic_fetch_sub(&core->held, 1);
        job->done(job->user, &result);
        core_release(core, job);
    }
    eccel_wipe(&result, sizeof result);
    return error;
}

int device_response(struct device *device, const uint32_t *words, size_t count, uint64_t cycles, uint64_t now)
{
    if (count < PACKET_HEADER_WORDS)
        return ECCEL_ERROR_LINK;
    struct job *job = device->by_tag[packet_tag(words) % DEVICE_TAGS];
    if (!job || packet_tag(job->packet) != packet_tag(words))
        return device->link->ops->repeats ? 0 : ECCEL_ERROR_LINK;
    if (!packet_answers(words, count, job->packet))
        return ECCEL_ERROR_LINK;
    unsigned status = packet_status(words);
    int sick = status == ECCEL_ENGINE_FAULT || status == ECCEL_WATCHDOG || status == ECCEL_FAULT ||
               status == ECCEL_ENTROPY_FAILED || status == ECCEL_SELF_TEST_FAILED;
    if (sick)
        return (int)status; /* the job is dealt with when the device is taken out */
    device->by_tag[packet_tag(words) % DEVICE_TAGS] = NULL;
    job_remove(&device->sent, job);
    device->words_out -= job->words;
    if (job->place < DEVICE_PLACES && job->kind == JOB_USER && job->lane)
        device->place[job->place].in_flight -= device->place[job->place].in_flight > 0;
    int error = 0;
    if (job->kind != JOB_USER) {
        if (job->kind == JOB_LOAD) {
            atomic_fetch_add(&device->loads, 1);
            error = loaded(device, job, status, now);
        }
        device->last_answer = now;
        if (device->state == DEVICE_PROBING && !error)
            error = device_probed(device, job, words, now);
        core_release(device->core, job);
        return error;
    }
    measure(&device->job_time, device, job, now);
    device->last_answer = now;
    if (job->state == JOB_ABANDONED) {
        note_key(device, job, status);
        core_release(device->core, job);
        return 0;
    }
    atomic_fetch_add_explicit(&device->answered, 1, memory_order_relaxed);
    note_key(device, job, status);
    if (again(device, job, status, now))
        return 0;
    return deliver(device, job, words, cycles);
}
