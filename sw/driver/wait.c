/* Submitting, and waiting for a job. See eccel.h.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "handle.h"

enum { PENDING = 0, WAITED_FOR = 1, DONE = 2 };

struct eccel_job {
    atomic_int references; /* the user's, and that of the callback */
    atomic_int cancelled;
    atomic_uint state;
    pid_t owner;
    struct eccel *handle; /* for the callback only: the user may close it first */
    struct eccel_result result;
};

/* A job for every device in service: it ends with the last of them. */
struct broadcast {
    atomic_uint left;
    atomic_int worst;
    eccel_done *done;
    void *user;
};

static long futex(atomic_uint *word, int op, unsigned value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

static void drop(eccel_job *job)
{
    if (atomic_fetch_sub(&job->references, 1) == 1) {
        eccel_wipe(job, sizeof *job);
        free(job);
    }
}

static void settle(eccel_job *job, const struct eccel_result *result)
{
    uint64_t one = 1;
    job->result = *result;
    int notify = job->handle ? atomic_load(&job->handle->notify_fd) : -1;
    if (atomic_exchange(&job->state, DONE) == WAITED_FOR)
        (void)futex(&job->state, FUTEX_WAKE_PRIVATE, 1, NULL);
    if (notify >= 0)
        (void)!write(notify, &one, sizeof one);
}

static void started_done(void *user, const struct eccel_result *result)
{
    settle(user, result);
    drop(user);
}

/* The stack of eccel_run may be gone as soon as the state is DONE: nothing touches the job afterwards but the futex,
   which knows its address only. */
static void run_done(void *user, const struct eccel_result *result)
{
    settle(user, result);
}

static void one_done(void *user, const struct eccel_result *result)
{
    struct broadcast *all = user;
    int worst = atomic_load(&all->worst);
    while (result->result && (worst == 0 || result->result < worst) &&
           !atomic_compare_exchange_weak(&all->worst, &worst, result->result)) {
    }
    if (atomic_fetch_sub(&all->left, 1) == 1) {
        struct eccel_result total = *result;
        total.result = atomic_load(&all->worst);
        all->done(all->user, &total);
        free(all);
    }
}

static int submit(eccel *handle, const struct eccel_request *request, const atomic_int *cancelled, eccel_done *done,
                  void *user)
{
    if (request->curve || (request->op != ECCEL_OP_ZEROISE && request->op != ECCEL_OP_SELF_TEST))
        return handle_submit(handle, request, -1, cancelled, done, user);
    struct broadcast *all = malloc(sizeof *all);
    int error = handle_claim(handle), first = error ? error : ECCEL_ERROR_ABSENT, sent = 0;
    if (!all || error) {
        free(all);
        return error ? error : ECCEL_ERROR_MEMORY;
    }
    *all = (struct broadcast){.done = done, .user = user};
    atomic_init(&all->left, 1); /* ours, so that it does not end before all are sent */
    for (size_t i = 0; i < eccel_device_count(handle); i++) {
        atomic_fetch_add(&all->left, 1);
        error = handle_submit(handle, request, (int)i, cancelled, one_done, all);
        if (error) {
            atomic_fetch_sub(&all->left, 1);
            first = first == ECCEL_ERROR_ABSENT ? error : first;
            /* A device that is out of service has no key that it will use: only other errors count. */
            if (error != ECCEL_ERROR_ABSENT)
                atomic_store(&all->worst, error);
        }
        sent += !error;
    }
    if (!sent) {
        free(all);
        return first;
    }
    struct eccel_result nothing = {.result = 0};
    one_done(all, &nothing);
    return 0;
}

int eccel_submit(eccel *handle, const struct eccel_request *request, eccel_done *done, void *user)
{
    return submit(handle, request, NULL, done, user);
}

int eccel_start(eccel *handle, const struct eccel_request *request, eccel_job **out)
{
    eccel_job *job = calloc(1, sizeof *job);
    *out = NULL;
    if (!job)
        return ECCEL_ERROR_MEMORY;
    atomic_init(&job->references, 2);
    job->owner = getpid();
    job->handle = handle;
    int error = submit(handle, request, &job->cancelled, started_done, job);
    if (error)
        free(job);
    else
        *out = job;
    return error;
}

int eccel_job_done(const eccel_job *job)
{
    return atomic_load(&job->state) == DONE || job->owner != getpid();
}

int eccel_wait(eccel_job *job, int timeout_ms, struct eccel_result *result)
{
    uint64_t end = timeout_ms < 0 ? NEVER : core_now() + 1000 * (uint64_t)timeout_ms;
    while (atomic_load(&job->state) != DONE) {
        if (job->owner != getpid()) {
            memset(result, 0, sizeof *result);
            return result->result = ECCEL_ERROR_FORKED;
        }
        uint64_t now = core_now();
        if (now >= end)
            return ECCEL_ERROR_TIMEOUT;
        unsigned pending = PENDING;
        if (!atomic_compare_exchange_strong(&job->state, &pending, WAITED_FOR) && pending == DONE)
            break;
        struct timespec left = {.tv_sec = (time_t)((end - now) / 1000000), .tv_nsec = (long)((end - now) % 1000000) * 1000};
        (void)futex(&job->state, FUTEX_WAIT_PRIVATE, WAITED_FOR, end == NEVER ? NULL : &left);
    }
    *result = job->result;
    return result->result;
}

void eccel_job_free(eccel_job *job)
{
    if (!job)
        return;
    atomic_store(&job->cancelled, 1);
    if (job->owner != getpid() && atomic_load(&job->state) != DONE)
        atomic_store(&job->references, 1); /* the callback is the parent's */
    drop(job);
}

int eccel_run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    eccel_job job = {.owner = getpid()};
    memset(result, 0, sizeof *result);
    int error = submit(handle, request, NULL, run_done, &job);
    if (error)
        return result->result = error;
    (void)eccel_wait(&job, -1, result);
    eccel_wipe(&job, sizeof job);
    return result->result;
}

int eccel_fd(eccel *handle)
{
    if (handle_claim(handle))
        return -1;
    int fd = atomic_load(&handle->notify_fd), none = -1;
    if (fd >= 0 || (fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) < 0)
        return fd;
    if (!atomic_compare_exchange_strong(&handle->notify_fd, &none, fd)) {
        (void)close(fd);
        fd = none;
    }
    return fd;
}

size_t eccel_poll(eccel *handle)
{
    uint64_t count;
    int fd = handle_claim(handle) ? -1 : atomic_load(&handle->notify_fd);
    if (fd >= 0)
        (void)!read(fd, &count, sizeof count);
    return atomic_load(&handle->core.held);
}
