/* Which job a device gets next: jobs of one curve together, but no curve waits long for another. See core.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

/* A curve that others wait for leaves its place after so many jobs, or after this time. */
enum { TURN_JOBS = 64, TURN_MICROSECONDS = 20000 };

static int has_room(const struct device *device, unsigned words)
{
    return device->sent.count < device->job_limit && device->words_out + words <= device->word_limit &&
           device->link->ops->room(device->link) >= words;
}

int device_takes(const struct device *device, const struct lane *lane)
{
    const struct queue *queue = &lane->queue[device->index];
    if (device->state != DEVICE_UP)
        return 1; /* not known yet */
    if (queue->place >= 0)
        return 1;
    for (unsigned i = 0; i < device->places; i++) {
        if (!(queue->refused >> (i & 63) & 1) && !device->place[i].key)
            return 1;
    }
    return 0;
}

void device_forget_curve(struct device *device, struct lane *lane)
{
    struct queue *queue = &lane->queue[device->index];
    if (queue->place < 0)
        return;
    struct place *place = &device->place[queue->place];
    *place = (struct place){0};
    queue->place = -1;
    if (lane->key == device && !device->is_server)
        lane->key = NULL;
}

void device_load(struct device *device, struct lane *lane, unsigned at, uint64_t now)
{
    struct place *place = &device->place[at];
    struct job *job = device->core->spare(device->core);
    if (!job)
        return; /* no memory: the jobs wait, and time out */
    if (place->lane)
        device_forget_curve(device, place->lane);
    unsigned id = device->first_id + device->next_id++ % device->window_ids;
    *place = (struct place){.lane = lane, .loading = 1};
    place->curve_id = device->is_server ? at : device->places > 1 ? at << 6 | id : id;
    lane->queue[device->index].place = (int)at;
    job->kind = JOB_LOAD;
    job->op = ECCEL_OP_CURVE_LOAD;
    job->target = (int)device->index;
    job->lane = lane;
    lane->jobs++;
    job->place = at;
    job->words = (unsigned)packet_load(job->packet, &lane->curve);
    core_track(device->core, job, now + device->core->timeout);
    device_issue(device, job, place->curve_id, now);
}

/* The place for a curve: an empty one, or one whose curve has no job, or has had its turn. -1: none yet. */
static int find_place(const struct device *device, const struct lane *lane, uint64_t now)
{
    const struct queue *queue = &lane->queue[device->index];
    uint64_t turn = 4 * device->load_time > TURN_MICROSECONDS ? 4 * device->load_time : TURN_MICROSECONDS;
    int found = -1, quiet = 0;
    for (unsigned i = 0; i < device->places; i++) {
        const struct place *place = &device->place[i];
        if (queue->refused >> (i & 63) & 1 || place->key || place->loading)
            continue;
        if (!place->lane)
            return (int)i;
        int without = !place->lane->queue[device->index].jobs.count;
        if (device->is_server && (!without || place->in_flight))
            continue;
        if (without && !quiet) {
            found = (int)i;
            quiet = 1;
        } else if (found < 0 && (place->served >= TURN_JOBS || now - place->since >= turn)) {
            found = (int)i;
        }
    }
    return found;
}

/* The jobs of a curve that the device cannot take any more go elsewhere. */
static void give_up(struct device *device, struct lane *lane, uint64_t now)
{
    struct job_list jobs = {0};
    while (lane->queue[device->index].jobs.head) {
        struct job *job = lane->queue[device->index].jobs.head;
        device_dequeue(device, job);
        job_append(&jobs, job);
    }
    while (jobs.head) {
        struct job *job = jobs.head;
        job_remove(&jobs, job);
        int error = core_assign(device->core, job, now);
        if (error)
            core_finish(device->core, job, error);
    }
}

static void send_head(struct device *device, struct job_list *list, uint64_t now)
{
    struct job *job = list->head;
    unsigned curve_id = 0;
    device_dequeue(device, job);
    if (job->cancelled && atomic_load(job->cancelled)) {
        core_finish(device->core, job, ECCEL_ERROR_CANCELLED);
        return;
    }
    job->place = DEVICE_PLACES;
    if (list != &device->plain) {
        struct place *place = &device->place[job->lane->queue[device->index].place];
        job->place = (unsigned)(place - device->place);
        curve_id = place->curve_id;
        place->served++;
        place->in_flight++;
    }
    device_issue(device, job, curve_id, now);
}

/* The next thing to do. Returns 0 if there is nothing that can be done now. */
static int step(struct device *device, uint64_t now)
{
    struct lane *ready = NULL, *wanting = NULL;
    uint64_t ready_since = NEVER, wanting_since = NEVER;
    for (struct lane *lane = device->core->lanes; lane; lane = lane->next) {
        const struct queue *queue = &lane->queue[device->index];
        const struct job *head = queue->jobs.head;
        if (!head)
            continue;
        if (queue->place >= 0) {
            const struct place *place = &device->place[queue->place];
            unsigned share = device->job_limit / (device->is_server ? 1 : device->places);
            if (!place->loading && head->deadline < ready_since && place->in_flight < share) {
                ready = lane;
                ready_since = head->deadline;
            }
        } else if (!device_takes(device, lane)) {
            give_up(device, lane, now);
            return 1;
        } else if (head->deadline < wanting_since) {
            wanting = lane;
            wanting_since = head->deadline;
        }
    }
    if (wanting) {
        int place = find_place(device, wanting, now);
        if (place >= 0) {
            if (!has_room(device, PACKET_HEADER_WORDS + CURVE_LOAD_OPERANDS * wanting->curve.words))
                return 0;
            device_load(device, wanting, (unsigned)place, now);
            return device->place[place].lane == wanting;
        }
    }
    if (!ready || !has_room(device, ready->queue[device->index].jobs.head->words))
        return 0;
    send_head(device, &ready->queue[device->index].jobs, now);
    return 1;
}

void device_serve(struct device *device, uint64_t now)
{
    while (device->state == DEVICE_UP) {
        if (device->plain.head && has_room(device, device->plain.head->words))
            send_head(device, &device->plain, now);
        else if (!device->queued || !step(device, now))
            return;
    }
}
