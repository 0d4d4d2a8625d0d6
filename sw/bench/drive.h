/* Keeps operations going for a time and measures them: many asynchronous jobs in one thread, or several threads.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_DRIVE_H
#define BENCH_DRIVE_H

#include "latency.h"
#include "operation.h"

#include <stdint.h>
#include <sys/types.h>

struct plan {
    unsigned jobs;          /* asynchronous jobs in flight, or threads */
    double warmup, seconds; /* the time before the measurement, and its length */
    uint64_t count;         /* above 0: so many operations are measured from the first one on, for at most `seconds` */
    pid_t watched;          /* a process whose CPU time is measured too, or 0 */
    unsigned max_errors;    /* after which the run ends */
    double patience;        /* seconds that jobs in flight may take to end at the end */
};

struct outcome {
    uint64_t operations, errors, pauses; /* in the measured time; pauses of asynchronous jobs */
    uint64_t checked, wrong;             /* results that were compared after the run */
    uint64_t stuck;                      /* jobs that did not end */
    double seconds;                      /* that were measured */
    double user_us, system_us, watched_us, watched_main_us; /* CPU time for one operation: see meter.h */
    struct latencies latencies;
    char message[256]; /* the first error */
};

/* Both return 0 if the run could not start; outcome->message says why. */
int drive_jobs(const struct plan *plan, struct subject *subject, struct outcome *outcome);
int drive_threads(const struct plan *plan, struct subject *subject, struct outcome *outcome);

/* Keeps the first error: the newest entry of OpenSSL's queue if `text` is NULL. */
void drive_error(struct outcome *outcome, const char *text);

#endif
