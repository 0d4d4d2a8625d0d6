/* The course of a run: a warm-up, the measured time, and the end, in which no operation starts any more.
   SPDX-License-Identifier: Apache-2.0

   For one thread. It reads the clocks at both ends of the measured time and keeps the books of it. */
#ifndef BENCH_PERIOD_H
#define BENCH_PERIOD_H

#include "drive.h"
#include "meter.h"

struct period {
    const struct plan *plan;
    struct outcome *outcome;
    enum { PERIOD_WARM, PERIOD_MEASURED, PERIOD_OVER } phase;
    uint64_t next;           /* when the phase ends */
    uint64_t started;        /* operations, for plan->count */
    struct moment begin, end;
};

void period_begin(struct period *period, const struct plan *plan, struct outcome *outcome);

/* Looks at the clock. To be called at least every 50 ms. */
void period_tick(struct period *period);

/* Whether another operation should start; if so, it counts as started. */
int period_start(struct period *period);

/* An operation that started at `begun` has ended. */
void period_finished(struct period *period, uint64_t begun, int success);

/* Writes seconds and CPU times into the outcome. */
void period_results(struct period *period);

#endif
