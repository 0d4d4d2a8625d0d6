/* A histogram of latencies, exact to 1.6 %.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdint.h>

enum { LATENCY_STEPS = 64, LATENCY_POWERS = 40 }; /* steps in a power of two; up to 2^40 * 64 ns */

struct latencies {
    uint64_t number[LATENCY_POWERS][LATENCY_STEPS];
    uint64_t total, longest;
};

void latency_add(struct latencies *latencies, uint64_t nanoseconds);

/* Adds what another histogram counts. */
void latency_merge(struct latencies *latencies, const struct latencies *other);

/* The latency that a share (0 to 1) of the operations did not exceed, in ns. 0 if there are none. */
uint64_t latency_at(const struct latencies *latencies, double share);

#endif
