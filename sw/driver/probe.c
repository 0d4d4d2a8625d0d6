/* A device that has been reached: what it is, and whether it works. See core.h.
   SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "core.h"
#include "gen/eccel_regs.h"

enum { SERVER_WORDS = 1 << 16, SERVER_JOBS = 256, LEAST_JOBS = 64, MOST_JOBS = DEVICE_TAGS / 2 };

static void up(struct device *device, uint64_t now)
{
    device->up_since = now;
    device->state = DEVICE_UP;
    device->timer = NEVER;
    device->first = device->suspect = 0;
    atomic_store(&device->last_error, 0);
    atomic_store(&device->in_service, 1);
}

static void ask(struct device *device, enum job_kind kind, unsigned op, unsigned curve_id, struct lane *lane,
                uint64_t now)
{
    struct job *job = device->core->spare(device->core);
    if (!job)
        return; /* the timer of the device ends this */
    job->kind = kind;
    job->op = (uint8_t)op;
    job->target = (int)device->index;
    job->place = DEVICE_PLACES;
    job->lane = lane;
    if (lane)
        lane->jobs++;
    job->words = (unsigned)packet_plain(job->packet, op, lane ? lane->curve.words : CURVE_MIN_WORDS);
    core_track(device->core, job, now + device->core->timeout);
    device_issue(device, job, curve_id, now);
}

/* The device is known. One that has failed before shows that it works; it may take as long as a job. */
static void known(struct device *device, uint64_t now)
{
    if (!device->suspect || !device->test_lane) {
        up(device, now);
        return;
    }
    device->timer = now + device->core->timeout;
    device_load(device, device->test_lane, 0, now);
}

/* The content of STATUS: ID, CONFIG, flags, clock, name. */
int device_status(struct device *device, const uint32_t *words, size_t count, uint64_t now)
{
    if (count < 4 || words[0] != ECCEL_ID_VALUE)
        return ECCEL_ERROR_LINK;
    if (device->state != DEVICE_CONNECTING)
        return words[2] & FRAME_STATUS_CLEARED ? ECCEL_ERROR_LINK : 0; /* our requests are gone */
    struct core *core = device->core;
    char name[sizeof device->info.name] = "";
    for (size_t i = 0; i + 1 < sizeof name && 4 + i / 4 < count; i++) {
        char letter = (char)(words[4 + i / 4] >> 8 * (i % 4));
        name[i] = letter >= ' ' && letter <= '~' ? letter : 0;
        if (!letter)
            break;
    }
    core->lock(core, 1);
    memcpy(device->info.name, name, sizeof name);
    device->info.clock_khz = words[3];
    device->info.paced = !!(words[2] & FRAME_STATUS_PACED);
    core->lock(core, 0);
    unsigned windows = 1u << ((words[1] & ECCEL_CONFIG_WINDOWS_LOG2) >> ECCEL_CONFIG_WINDOWS_LOG2_SHIFT);
    device->is_server = !!(words[2] & FRAME_STATUS_SERVER);
    device->state = DEVICE_PROBING;
    device->engines = device->threads = 1;
    device->window_ids = DEVICE_PLACES / windows;
    device->first_id = device->link->window * device->window_ids;
    if (device->is_server) {
        device->places = DEVICE_PLACES;
        device->word_limit = SERVER_WORDS;
        device->job_limit = SERVER_JOBS;
        known(device, now);
        return 0;
    }
    device->places = 1;
    device->job_limit = LEAST_JOBS;
    device->word_limit = (1u << ((words[1] & ECCEL_CONFIG_FIFO_LOG2) >> ECCEL_CONFIG_FIFO_LOG2_SHIFT)) - 2;
    if (device->word_limit < PACKET_HEADER_WORDS + CURVE_LOAD_OPERANDS * CURVE_MIN_WORDS || windows > 8 ||
        device->link->window >= windows)
        return ECCEL_ERROR_LINK;
    ask(device, JOB_COUNTERS, PACKET_OP_COUNTERS, 0, NULL, now);
    return 0;
}

/* An engine of a cluster has told its pool and its threads; then the next one is asked. */
static void counted(struct device *device, const uint32_t *response, uint64_t now)
{
    if (packet_status(response) == ECCEL_OK) {
        uint32_t state = response[PACKET_HEADER_WORDS + 4];
        unsigned pool = state >> 24;
        if (device->probed == 0) {
            device->engines = state & 0xff;
            device->threads = 0;
        }
        device->threads += state >> 8 & 0xff;
        if (pool < 4 && pool >= device->places)
            device->places = pool + 1;
        if (++device->probed < device->engines) {
            ask(device, JOB_COUNTERS, PACKET_OP_COUNTERS, device->probed, NULL, now);
            return;
        }
    }
    unsigned windows = DEVICE_PLACES / device->window_ids;
    if (device->places > 1) {
        device->window_ids = DEVICE_PLACES / 4 / windows;
        device->first_id = device->link->window * device->window_ids;
    }
    if (2 * device->threads > device->job_limit)
        device->job_limit = 2 * device->threads < MOST_JOBS ? 2 * device->threads : MOST_JOBS;
    known(device, now);
}

int device_probed(struct device *device, struct job *job, const uint32_t *response, uint64_t now)
{
    unsigned status = packet_status(response);
    if (job->kind == JOB_COUNTERS) {
        counted(device, response, now);
    } else if (job->kind == JOB_LOAD && status == ECCEL_OK) {
        ask(device, JOB_SELF_TEST, ECCEL_OP_SELF_TEST, device->place[job->place].curve_id, job->lane, now);
    } else if (job->kind == JOB_LOAD && job->place + 1 < device->places && !device->is_server) {
        device_load(device, job->lane, job->place + 1, now); /* a pool of another kind */
    } else if (job->kind == JOB_SELF_TEST && status == ECCEL_OK) {
        up(device, now);
    } else {
        return status ? (int)status : ECCEL_ERROR_LINK;
    }
    return 0;
}
