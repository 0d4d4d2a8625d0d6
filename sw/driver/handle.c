/* Opening and closing. See handle.h, and eccel.h for the public functions.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "handle.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "secret.h"

static _Thread_local char open_error[768]; /* the API promises one for each thread */

const char *eccel_open_error(void)
{
    return open_error;
}

static void lock_core(struct core *core, int on)
{
    struct eccel *handle = (struct eccel *)core;
    (void)(on ? pthread_mutex_lock : pthread_mutex_unlock)(&handle->lock);
}

struct job *handle_job(struct core *core)
{
    struct eccel *handle = (struct eccel *)core;
    (void)pthread_mutex_lock(&handle->lock);
    struct job *job = job_take(&handle->store);
    (void)pthread_mutex_unlock(&handle->lock);
    return job;
}

void handle_wake(struct eccel *handle)
{
    uint64_t one = 1;
    (void)!write(handle->wake_fd, &one, sizeof one);
}

static void *io_thread(void *argument)
{
    struct eccel *handle = argument;
    uint64_t due = 0;
    for (int stop = 0; !stop;) {
        due = handle_turn(handle, due);
        (void)pthread_mutex_lock(&handle->lock);
        stop = handle->stop;
        (void)pthread_mutex_unlock(&handle->lock);
    }
    return NULL;
}

/* All signals are blocked in the thread: they are for the program's threads. */
int handle_run(struct eccel *handle)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&handle->thread, NULL, io_thread, handle);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    handle->running = !error;
    return error ? ECCEL_ERROR_MEMORY : 0;
}

int handle_prepare(struct eccel *handle)
{
    handle->core.lock = lock_core;
    handle->core.spare = handle_job;
    handle->core.timeout = 1000 * (uint64_t)handle->options.timeout_ms;
    handle->core.retry = 1000 * (uint64_t)handle->options.retry_ms;
    handle->core.connect = 1000 * (uint64_t)handle->options.connect_ms;
    handle->max_in_flight = handle->options.max_in_flight;
    atomic_init(&handle->notify_fd, -1);
    handle->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    (void)pthread_mutex_init(&handle->lock, NULL);
    return handle->wake_fd < 0 ? ECCEL_ERROR_MEMORY : 0;
}

static struct device *make_device(struct core *core, const char *uri, char *why, size_t room)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device) {
        (void)snprintf(why, room, "not enough memory");
        return NULL;
    }
    device->link = link_create(uri, why, room);
    if (!device->link) {
        free(device);
        return NULL;
    }
    device->link->device = device;
    device->core = core;
    device->first = 1;
    device->places = 1;
    (void)snprintf(device->info.uri, sizeof device->info.uri, "%s", uri);
    return device;
}

int handle_devices(struct eccel *handle, const char *uris, char *why, size_t room)
{
    struct core *core = &handle->core;
    char uri[sizeof ((struct device *)0)->info.uri];
    for (const char *at = uris; *(at += strspn(at, " ,")); at += strcspn(at, " ,")) {
        size_t length = strcspn(at, " ,");
        if (core->devices == CORE_DEVICES || length >= sizeof uri) {
            (void)snprintf(why, room, "%s: at most %d devices, each with an address below %zu bytes", uris,
                           CORE_DEVICES, sizeof uri);
            return ECCEL_ERROR_ARGUMENT;
        }
        memcpy(uri, at, length);
        uri[length] = 0;
        struct device *device = make_device(core, uri, why, room);
        if (!device)
            return ECCEL_ERROR_ARGUMENT;
        device->index = core->devices;
        core->device[core->devices++] = device;
    }
    if (!core->devices)
        (void)snprintf(why, room, "no address of a device is given");
    return core->devices ? 0 : ECCEL_ERROR_ARGUMENT;
}

static void destroy(struct eccel *handle)
{
    struct core *core = &handle->core;
    core_end(core, ECCEL_ERROR_CANCELLED);
    for (unsigned i = 0; i < core->devices; i++) {
        core->device[i]->link->ops->destroy(core->device[i]->link);
        free(core->device[i]);
    }
    for (struct lane *lane = core->lanes, *next; lane; lane = next) {
        next = lane->next;
        free(lane);
    }
    job_store_free(&handle->store);
    if (handle->wake_fd >= 0)
        (void)close(handle->wake_fd);
    int notify = atomic_load(&handle->notify_fd);
    if (notify >= 0)
        (void)close(notify);
    (void)pthread_mutex_destroy(&handle->lock);
    secret_free(handle->mine, sizeof *handle->mine);
    free(handle);
}

/* Runs the core in this thread until every device has been reached or not. Returns 0 if one is in service. */
static int reach(struct eccel *handle)
{
    struct core *core = &handle->core;
    uint64_t due = 0, end = core_now() + core->connect;
    int up = 0, open = 1;
    while (open && core_now() < end) {
        due = handle_turn(handle, due < end ? due : end);
        up = open = 0;
        for (unsigned i = 0; i < core->devices; i++) {
            up += core->device[i]->state == DEVICE_UP;
            open += core->device[i]->state != DEVICE_UP && core->device[i]->first;
        }
    }
    if (up)
        return 0;
    const struct device *device = core->device[0];
    (void)snprintf(open_error, sizeof open_error, "%s: %s", device->info.uri,
                   *device->link->why ? device->link->why : "no answer in time");
    return ECCEL_ERROR_ABSENT;
}

int eccel_open(eccel **out, const char *uris, const struct eccel_options *options)
{
    struct eccel *handle = calloc(1, sizeof *handle);
    int error = ECCEL_ERROR_MEMORY;
    *out = NULL;
    *open_error = 0;
    if (!handle || !(handle->mine = secret_alloc(sizeof *handle->mine))) {
        free(handle);
        (void)snprintf(open_error, sizeof open_error, "not enough memory");
        return error;
    }
    if (options)
        handle->options = *options;
    struct eccel_options *chosen = &handle->options;
    chosen->timeout_ms = chosen->timeout_ms ? chosen->timeout_ms : 10000;
    chosen->retry_ms = chosen->retry_ms ? chosen->retry_ms : 1000;
    chosen->max_in_flight = chosen->max_in_flight ? chosen->max_in_flight : 4096;
    chosen->connect_ms = chosen->connect_ms ? chosen->connect_ms : 2000;
    atomic_store(handle->mine, 1);
    handle->owner = secret_is_private(handle->mine, sizeof *handle->mine) ? 0 : getpid();
    if (!(error = handle_prepare(handle)) && !(error = handle_devices(handle, uris, open_error, sizeof open_error)))
        error = reach(handle);
    if (error) {
        destroy(handle);
        return error;
    }
    *out = handle;
    return 0;
}

void eccel_close(eccel *handle)
{
    if (!handle)
        return;
    (void)handle_claim(handle);
    (void)pthread_mutex_lock(&handle->lock);
    handle->stop = 1;
    int running = handle->running;
    (void)pthread_mutex_unlock(&handle->lock);
    if (running) {
        handle_wake(handle);
        (void)pthread_join(handle->thread, NULL);
    }
    struct job_list mail = handle->incoming;
    handle->incoming = (struct job_list){0};
    while (mail.head) { /* what came after the last turn */
        struct job *job = mail.head;
        job_remove(&mail, job);
        core_track(&handle->core, job, job->deadline);
    }
    destroy(handle);
}
