/* fork with jobs in flight, and while other threads submit.
   SPDX-License-Identifier: Apache-2.0

   forks URI CHILDREN    Exit code 0 if parent and children all get right results. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eccel.h"

static eccel *handle;
static atomic_int stop;
static pthread_barrier_t first_calls; /* of the threads of a child, all at the same time */

static struct eccel_request request(void)
{
    static const uint8_t a[] = {0x5a, 0x11, 0x77}, b[] = {0x01, 0x02, 0x03};
    return (struct eccel_request){.op = ECCEL_OP_MOD_ADD,
                                  .curve = eccel_curve_named("P-256"),
                                  .operands = 2,
                                  .operand = {{a, sizeof a}, {b, sizeof b}}};
}

static int good(int status, const struct eccel_result *result)
{
    static const uint8_t sum[] = {0x5b, 0x13, 0x7a};
    if (!status && result->bytes == 32 && !memcmp(result->value[0] + 29, sum, sizeof sum))
        return 1;
    fprintf(stderr, "process %d: %s\n", (int)getpid(), eccel_result_name(status));
    return 0;
}

static int run(void)
{
    struct eccel_request job = request();
    struct eccel_result result;
    return good(eccel_run(handle, &job, &result), &result);
}

static void *busy(void *argument)
{
    (void)argument;
    while (!atomic_load(&stop)) {
        if (!run())
            exit(3);
    }
    return NULL;
}

static void *once(void *argument)
{
    (void)pthread_barrier_wait(&first_calls);
    *(int *)argument = run();
    return NULL;
}

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

/* What a child does: the parent's job is not its own; its own jobs work, from several threads at once. */
static int child(eccel_job *job)
{
    struct eccel_result result;
    pthread_t threads[4];
    int right[4];
    if (job) { /* answered before the fork, or never */
        int status = eccel_wait(job, 5000, &result);
        if ((status != ECCEL_ERROR_FORKED && !good(status, &result)) || !eccel_job_done(job))
            return 10;
    }
    eccel_job_free(job);
    (void)pthread_barrier_init(&first_calls, NULL, 4);
    for (int i = 0; i < 4; i++)
        (void)pthread_create(&threads[i], NULL, once, &right[i]);
    for (int i = 0; i < 4; i++) {
        (void)pthread_join(threads[i], NULL);
        if (!right[i])
            return 11;
    }
    eccel_close(handle);
    return 0;
}

static int wait_for(pid_t pid)
{
    int status;
    (void)waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "a child ended with %#x\n", status);
        return 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    if (count != 3 || eccel_open(&handle, arguments[1], NULL)) {
        fprintf(stderr, "forks URI CHILDREN; %s\n", eccel_open_error());
        return 2;
    }
    int before = descriptors();
    pid_t pid = fork(); /* before the first job */
    if (!pid)
        _exit(child(NULL));
    if (!wait_for(pid) || !run())
        return 4;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        (void)pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < atoi(arguments[2]); i++) {
        eccel_job *job;
        struct eccel_request asked = request();
        struct eccel_result result;
        if (eccel_start(handle, &asked, &job))
            return 5;
        pid = fork();
        if (!pid)
            _exit(eccel_job_done(job) == 1 && i % 2 ? child(NULL) : child(job));
        if (!wait_for(pid) || !good(eccel_wait(job, -1, &result), &result))
            return 6;
        eccel_job_free(job);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++)
        (void)pthread_join(threads[i], NULL);
    if (descriptors() > before + 1) { /* a wake-up descriptor may have come */
        fprintf(stderr, "%d descriptors, then %d\n", before, descriptors());
        return 7;
    }
    eccel_close(handle);
    puts("all right");
    return 0;
}
