/* A histogram of latencies: see latency.h.
   SPDX-License-Identifier: Apache-2.0

   Row 0 counts 0 to 63 ns in steps of 1. Row i > 0 counts 32 * 2^i to 64 * 2^i in steps of 2^i; the lower half of its
   steps stays empty. */
#include "latency.h"

void latency_add(struct latencies *latencies, uint64_t nanoseconds)
{
    unsigned row = 0;
    while (nanoseconds >> row >= LATENCY_STEPS && row < LATENCY_POWERS - 1)
        row++;
    const uint64_t step = nanoseconds >> row;
    latencies->number[row][step < LATENCY_STEPS ? step : LATENCY_STEPS - 1]++;
    latencies->total++;
    if (nanoseconds > latencies->longest)
        latencies->longest = nanoseconds;
}

void latency_merge(struct latencies *latencies, const struct latencies *other)
{
    for (unsigned row = 0; row < LATENCY_POWERS; row++)
        for (unsigned step = 0; step < LATENCY_STEPS; step++)
            latencies->number[row][step] += other->number[row][step];
    latencies->total += other->total;
    if (other->longest > latencies->longest)
        latencies->longest = other->longest;
}

uint64_t latency_at(const struct latencies *latencies, double share)
{
    const double wanted = share * (double)latencies->total;
    uint64_t seen = 0;
    for (unsigned row = 0; row < LATENCY_POWERS; row++)
        for (unsigned step = 0; step < LATENCY_STEPS; step++) {
            seen += latencies->number[row][step];
            if (seen && (double)seen >= wanted) {
                const uint64_t above = (uint64_t)(step + 1) << row; /* the end of the step */
                return above < latencies->longest ? above : latencies->longest;
            }
        }
    return latencies->longest;
}
