/* The backend of real devices. See library.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct library {
    struct backend backend;
    eccel *handle;
    uint64_t opened; /* all times are nanoseconds */
    pthread_mutex_t lock;
    size_t in_flight;
    uint64_t since;  /* when in_flight became 1 */
    uint64_t busy;   /* time with a job in flight, before `since` */
};

static struct library *of(struct backend *backend)
{
    return (struct library *)backend;
}

/* Counts jobs in flight, one more or one less. */
static void count(struct library *library, int more)
{
    pthread_mutex_lock(&library->lock);
    if (more && !library->in_flight++)
        library->since = loop_now();
    else if (!more && !--library->in_flight)
        library->busy += loop_now() - library->since;
    pthread_mutex_unlock(&library->lock);
}

/* From a thread of libeccel. */
static void done(void *user, const struct eccel_result *result)
{
    struct job *job = user;
    job->result = *result;
    count(job->backend_data, 0);
    job_done(job);
}

static int curve(struct backend *backend, struct curve *asked)
{
    (void)backend;
    (void)asked;
    return ECCEL_OK; /* its first job finds out */
}

static void forget(struct backend *backend, struct curve *gone)
{
    (void)backend;
    (void)gone;
}

static int submit(struct backend *backend, struct job *job, const struct eccel_request *request, struct curve *on)
{
    (void)on;
    struct eccel_request exact = *request;
    if (request->op == ECCEL_OP_ZEROISE)
        exact.curve = NULL; /* to all devices: the key may be in any of them */
    job->backend_data = backend;
    count(of(backend), 1);
    int result = eccel_submit(of(backend)->handle, &exact, done, job);
    if (result)
        count(of(backend), 0);
    return result;
}

/* The library does not tell clocks of idle engines. Time is therefore counted in clocks of the nominal frequency, or in
   microseconds if that is not known. */
static void load(struct backend *backend, struct load *load)
{
    struct library *library = of(backend);
    struct eccel_device_info info;
    uint64_t khz = backend->clock_khz ? backend->clock_khz : 1000, now = loop_now();
    pthread_mutex_lock(&library->lock);
    uint64_t busy = library->busy + (library->in_flight ? now - library->since : 0);
    pthread_mutex_unlock(&library->lock);
    load->clocks = (uint64_t)((double)(now - library->opened) * (double)khz / 1e6);
    load->busy_clocks = (uint64_t)((double)busy * (double)khz / 1e6);
    load->devices = (unsigned)eccel_device_count(library->handle);
    for (unsigned i = 0; i < load->devices; i++)
        if (!eccel_device(library->handle, i, &info)) {
            load->in_flight += info.in_flight;
            load->queued += info.queued;
            load->in_service += info.in_service != 0;
            load->curve_loads += info.curve_loads;
        }
}

static void close_library(struct backend *backend)
{
    eccel_close(of(backend)->handle);
    pthread_mutex_destroy(&of(backend)->lock);
    free(backend);
}

struct backend *library_open(const struct options *options, char *error, size_t room)
{
    const struct eccel_options wanted = {
        .timeout_ms = options->timeout_ms, .retry_ms = options->retry_ms, .max_in_flight = options->queue};
    struct eccel_device_info info;
    struct library *library = calloc(1, sizeof *library);
    if (!library) {
        snprintf(error, room, "no memory");
        return NULL;
    }
    int result = eccel_open(&library->handle, options->devices, &wanted);
    if (result) {
        const char *reason = eccel_open_error();
        snprintf(error, room, "%s", reason && *reason ? reason : eccel_advice(result));
        free(library);
        return NULL;
    }
    library->backend = (struct backend){
        .kind = "devices", .max_words = CURVE_MAX_WORDS, .key_slots = 1, .curve = curve, .forget = forget,
        .submit = submit, .load = load, .close = close_library,
    };
    pthread_mutex_init(&library->lock, NULL);
    library->opened = loop_now();
    if (!eccel_device(library->handle, 0, &info)) {
        snprintf(library->backend.name, sizeof library->backend.name, "%s", options->name ? options->name : info.name);
        library->backend.clock_khz = info.clock_khz;
        library->backend.paced = info.paced;
    }
    return &library->backend;
}
