/* Clock and CPU time: see meter.h.
   SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "meter.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

static const uint64_t second = 1000000000;

static uint64_t in_ns(struct timespec time)
{
    return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

static uint64_t used_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_usec * 1000;
}

uint64_t meter_now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return in_ns(time);
}

/* CPU time of the first thread of a process, from Linux's statistics of the scheduler. 0 if they are not there. */
static uint64_t first_thread(pid_t process)
{
    char path[64];
    unsigned long long ns = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)process, (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu", &ns) != 1)
        ns = 0;
    fclose(file);
    return ns;
}

int meter_read(struct moment *moment, pid_t other)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    *moment = (struct moment){meter_now(), used_ns(usage.ru_utime), used_ns(usage.ru_stime), 0, 0};
    if (!other)
        return 1;
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(other, &clock) || clock_gettime(clock, &time))
        return 0;
    moment->watched = in_ns(time);
    moment->watched_main = first_thread(other);
    return 1;
}
