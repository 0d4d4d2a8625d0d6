/* The paced device. See paced.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "paced_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static struct paced *of(struct backend *backend)
{
    return (struct paced *)backend;
}

static int curve(struct backend *backend, struct curve *asked)
{
    return paced_take_curve(of(backend), asked);
}

static void forget(struct backend *backend, struct curve *gone)
{
    (void)backend;
    (void)gone; /* its nonces may be of use again */
}

static void tick(struct source *source, uint32_t events)
{
    struct paced *paced = (struct paced *)((char *)source - offsetof(struct paced, timer));
    uint64_t count;
    (void)events;
    ssize_t got = read(source->fd, &count, sizeof count);
    (void)got;
    paced->armed = 0;
    paced_run(paced, loop_now());
}

/* Sets the timer for the next job that ends. */
static void turn(struct backend *backend)
{
    struct paced *paced = of(backend);
    uint64_t next = paced->first ? paced->first->at : SCHEDULE_NEVER, now = loop_now();
    for (unsigned i = 0; i < paced->pools; i++) {
        uint64_t at = schedule_run(&paced->pool[i].schedule, now);
        if (at != SCHEDULE_NEVER)
            at += schedule_slack(&paced->pool[i].schedule);
        next = at < next ? at : next;
    }
    if (next == SCHEDULE_NEVER || next == paced->armed)
        return;
    const struct itimerspec time = {
        .it_value = {.tv_sec = (time_t)(next / 1000000000u), .tv_nsec = (long)(next % 1000000000u)}};
    timerfd_settime(paced->timer.fd, TFD_TIMER_ABSTIME, &time, NULL);
    paced->armed = next;
}

static void load(struct backend *backend, struct load *load)
{
    struct paced *paced = of(backend);
    uint64_t now = loop_now(), busy = paced->busy_ns + (paced->in_flight ? now - paced->since : 0);
    double clocks = (double)paced->plan.clock_khz / 1e6;
    unsigned engines = 0;
    load->in_service = load->devices = 1;
    load->in_flight = paced->in_flight;
    load->late = paced->late;
    if (!paced->unlimited)
        busy = load->in_flight = 0;
    for (unsigned i = 0; i < paced->pools; i++) {
        const struct schedule *schedule = &paced->pool[i].schedule;
        load->queued += schedule->queued;
        load->in_flight += schedule->running;
        load->curve_loads += schedule->curve_loads;
        busy += schedule->busy_ns;
        engines += schedule->engines;
    }
    load->clocks = (uint64_t)((double)(now - paced->opened) * clocks);
    load->busy_clocks = (uint64_t)((double)busy * clocks / (engines ? engines : 1));
}

static void close_paced(struct backend *backend)
{
    struct paced *paced = of(backend);
    workers_close(&paced->workers);
    if (paced->late)
        LOG(paced->log, LEVEL_WARNING, "host_too_slow", NUMBER("late_jobs", paced->late));
    for (unsigned i = 0; i < paced->pools; i++)
        schedule_close(&paced->pool[i].schedule);
    paced_forget_curves(paced);
    paced_free_jobs(paced);
    remember_close(&paced->remember);
    BN_CTX_free(paced->context);
    plan_free(&paced->plan);
    if (paced->computed.fd >= 0)
        close(paced->computed.fd);
    if (paced->timer.fd >= 0)
        close(paced->timer.fd);
    eccel_wipe(paced, sizeof *paced);
    free(paced);
}

/* The pools of a plan, or the one of a device with a fixed latency. */
static int make_pools(struct paced *paced, const struct options *options, char *error, size_t room)
{
    if (options->paced) {
        if (plan_read(&paced->plan, options->paced, error, room))
            return -1;
        paced->pools = paced->plan.pools;
    } else {
        paced->latency_ns = (uint64_t)(options->latency_ms * 1e6);
        paced->plan = (struct plan){.name = "latency", .clock_khz = 1000, .max_words = CURVE_MAX_WORDS};
        paced->unlimited = !options->at_once;
        paced->pools = !paced->unlimited;
        paced->pool[0].schedule = (struct schedule){.engines = options->at_once, .threads = 1, .window = 1};
    }
    for (unsigned i = 0; i < paced->pools; i++) {
        struct schedule *schedule = &paced->pool[i].schedule;
        if (options->paced) {
            const struct plan_pool *plan = &paced->plan.pool[i];
            *schedule = (struct schedule){.engines = plan->engines, .threads = plan->threads, .window = plan->window};
            schedule->wait_ns = (uint64_t)((double)plan->wait * 1e6 / (double)paced->plan.clock_khz);
        }
        schedule->end = paced_ended;
        schedule->context = paced;
        if (schedule_open(schedule)) {
            snprintf(error, room, "no memory");
            return -1;
        }
    }
    return 0;
}

struct backend *paced_open(const struct options *options, struct log *log, char *error, size_t room)
{
    struct paced *paced = calloc(1, sizeof *paced);
    if (!paced) {
        snprintf(error, room, "no memory");
        return NULL;
    }
    *paced = (struct paced){
        .log = log, .prepare = options->prepare, .most = options->queue,
        .computed = {.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .ready = paced_collect},
        .timer = {.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), .ready = tick},
        .workers = {.idle = paced_idle, .context = paced},
        .context = BN_CTX_secure_new(),
    };
    paced->backend = (struct backend){
        .kind = "paced", .paced = 1, .curve = curve, .forget = forget, .submit = paced_submit, .turn = turn,
        .load = load, .close = close_paced, .sources = {&paced->computed, &paced->timer},
    };
    int bad = make_pools(paced, options, error, room);
    if (!bad && (paced->computed.fd < 0 || paced->timer.fd < 0 || !paced->context ||
                 remember_open(&paced->remember, options->remember) ||
                 workers_open(&paced->workers, options->compute_threads))) {
        snprintf(error, room, "no memory, descriptors or threads for the paced device");
        bad = -1;
    }
    if (bad || paced_prepare(paced, error, room)) {
        close_paced(&paced->backend);
        return NULL;
    }
    paced->opened = loop_now();
    paced->backend.clock_khz = options->paced ? paced->plan.clock_khz : 0;
    paced->backend.max_words = paced->plan.max_words;
    paced->backend.key_slots = paced->pools ? paced->pools : 1;
    snprintf(paced->backend.name, sizeof paced->backend.name, "%.55s (paced)",
             options->name ? options->name : paced->plan.name);
    return &paced->backend;
}
