/* Clock and CPU time of this process and of one other, at one moment.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <stdint.h>
#include <sys/types.h>

struct moment {
    uint64_t wall, user, system; /* ns: monotonic clock, and CPU of all threads of this process */
    uint64_t watched;            /* ns: CPU (user and system) of the other process; 0 if there is none */
    uint64_t watched_main;       /* ns: the part of its first thread, which is the event loop of a server */
};

/* The monotonic clock in ns. */
uint64_t meter_now(void);

/* Reads all clocks. `other` is a process, or 0. Returns 0 if it has no such process. */
int meter_read(struct moment *moment, pid_t other);

#endif
