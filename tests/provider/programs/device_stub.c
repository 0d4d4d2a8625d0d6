/* A stand-in for libeccel in tests of the provider: the same results, computed by libcrypto, without an engine.
   SPDX-License-Identifier: Apache-2.0

   It is not the engine and proves nothing about it. It exists to test the provider alone: with many jobs, with delays,
   and with failures on demand. Only the functions that the provider calls are here. URIs:

       soft:[OPTION&OPTION..]     delay_us=N   a job takes N microseconds more
                                  workers=N    N jobs at once (1)
                                  status=N     every job ends with this status or error
                                  off=PATH     while PATH exists, jobs end with ERROR_LINK, and opening fails */
#define _GNU_SOURCE
#include "device_stub.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    struct job *next;
    struct eccel_request request;
    uint8_t bytes[ECCEL_MAX_OPERANDS][ECCEL_MAX_BYTES];
    eccel_done *done;
    void *user;
};

struct eccel {
    pid_t owner;
    int status;
    unsigned delay_us, workers;
    char off[200];
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t threads[64];
    struct job *first, **last;
    int closing;
    struct slot slot;
};

static _Thread_local const char *open_error = "";

const char *eccel_open_error(void) { return open_error; }
const char *eccel_advice(int result) { return result ? "a result of the stub" : "success"; }

const char *eccel_result_name(int result)
{
    static _Thread_local char name[32];
    snprintf(name, sizeof name, "STUB_%d", result);
    return name;
}

void eccel_wipe(void *memory, size_t bytes) { OPENSSL_cleanse(memory, bytes); }
int eccel_self_test(eccel *handle, const eccel_curve *curve) { (void)curve; return handle->status; }

/* A worker that computes may hold a lock of libcrypto, which stays locked for ever in the child of a fork. libeccel never
   calls libcrypto; so that the stub is like it in a fork, the fork waits until no worker computes. Writers come first,
   or busy workers would let no fork begin. */
static pthread_rwlock_t computing = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void before_fork(void) { pthread_rwlock_wrlock(&computing); }
static void in_parent(void) { pthread_rwlock_unlock(&computing); }
static void in_child(void) { computing = (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP; }
static void guard_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

static int compute(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    pthread_rwlock_rdlock(&computing);
    int status = stub_compute(&handle->slot, request, result);
    pthread_rwlock_unlock(&computing);
    return status;
}

static int run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    memset(result, 0, sizeof *result);
    if (handle->off[0] != '\0' && access(handle->off, F_OK) == 0)
        return result->result = ECCEL_ERROR_LINK;
    if (handle->delay_us > 0)
        usleep(handle->delay_us);
    if (handle->off[0] != '\0' && access(handle->off, F_OK) == 0)
        return result->result = ECCEL_ERROR_LINK;
    return result->result = handle->status ? handle->status : compute(handle, request, result);
}

/* ---- handles and jobs */

static void *worker(void *argument)
{
    eccel *handle = argument;
    for (;;) {
        pthread_mutex_lock(&handle->lock);
        while (handle->first == NULL && !handle->closing)
            pthread_cond_wait(&handle->work, &handle->lock);
        struct job *job = handle->first;
        if (job != NULL && (handle->first = job->next) == NULL)
            handle->last = &handle->first;
        int closing = handle->closing;
        pthread_mutex_unlock(&handle->lock);
        if (job == NULL)
            return NULL;
        struct eccel_result result = {.result = ECCEL_ERROR_CANCELLED};
        if (!closing)
            run(handle, &job->request, &result);
        job->done(job->user, &result);
        OPENSSL_cleanse(job, sizeof *job);
        free(job);
    }
}

static void start_workers(eccel *handle)
{
    handle->owner = getpid();
    handle->first = NULL;
    handle->last = &handle->first;
    pthread_mutex_init(&handle->lock, NULL);
    pthread_cond_init(&handle->work, NULL);
    for (unsigned i = 0; i < handle->workers; i++)
        pthread_create(&handle->threads[i], NULL, worker, handle);
}

int eccel_open(eccel **handle, const char *uris, const struct eccel_options *options)
{
    eccel *made = calloc(1, sizeof *made);
    (void)options;
    *handle = NULL;
    made->workers = 1;
    int good = strncmp(uris, "soft:", 5) == 0;
    for (const char *text = uris + 5; good && *text != '\0'; text += *text == '&') {
        good = sscanf(text, "delay_us=%u", &made->delay_us) == 1 || sscanf(text, "workers=%u", &made->workers) == 1 ||
               sscanf(text, "status=%d", &made->status) == 1 || sscanf(text, "off=%199[^&]", made->off) == 1;
        text += strcspn(text, "&");
    }
    if (!good || made->workers < 1 || made->workers > 64 || (made->off[0] != '\0' && access(made->off, F_OK) == 0)) {
        open_error = "the stub is off, or its URI is malformed";
        free(made);
        return ECCEL_ERROR_ABSENT;
    }
    static pthread_once_t guarded = PTHREAD_ONCE_INIT;
    pthread_once(&guarded, guard_forks);
    start_workers(made);
    *handle = made;
    return 0;
}

void eccel_close(eccel *handle)
{
    if (handle == NULL)
        return;
    if (handle->owner == getpid()) {
        pthread_mutex_lock(&handle->lock);
        handle->closing = 1;
        pthread_cond_broadcast(&handle->work);
        pthread_mutex_unlock(&handle->lock);
        for (unsigned i = 0; i < handle->workers; i++)
            pthread_join(handle->threads[i], NULL);
    }
    free(handle);
}

int eccel_submit(eccel *handle, const struct eccel_request *request, eccel_done *done, void *user)
{
    struct job *job = calloc(1, sizeof *job);
    if (handle->owner != getpid())
        start_workers(handle);
    job->request = *request;
    job->done = done;
    job->user = user;
    for (unsigned i = 0; i < request->operands; i++) {
        memcpy(job->bytes[i], request->operand[i].bytes, request->operand[i].length);
        job->request.operand[i].bytes = job->bytes[i];
    }
    pthread_mutex_lock(&handle->lock);
    *handle->last = job;
    handle->last = &job->next;
    pthread_cond_signal(&handle->work);
    pthread_mutex_unlock(&handle->lock);
    return 0;
}

struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int done;
    struct eccel_result *result;
};

static void wake_up(void *user, const struct eccel_result *result)
{
    struct waiting *waiting = user;
    pthread_mutex_lock(&waiting->lock);
    *waiting->result = *result;
    waiting->done = 1;
    pthread_cond_signal(&waiting->finished);
    pthread_mutex_unlock(&waiting->lock);
}

int eccel_run(eccel *handle, const struct eccel_request *request, struct eccel_result *result)
{
    struct waiting waiting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, result};
    int submitted = eccel_submit(handle, request, wake_up, &waiting);
    if (submitted != 0)
        return submitted;
    pthread_mutex_lock(&waiting.lock);
    while (!waiting.done)
        pthread_cond_wait(&waiting.finished, &waiting.lock);
    pthread_mutex_unlock(&waiting.lock);
    return result->result;
}
