/* The estimate of the load.
   SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <time.h>

#define WINDOW 20000
#define RELAXED memory_order_relaxed

uint64_t load_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

bool load_wants_device(struct load *load, unsigned below, uint64_t now)
{
    if (below == 0)
        return true;
    uint64_t jobs = atomic_fetch_add_explicit(&load->window_jobs, 1, RELAXED) + 1;
    uint64_t start = atomic_load_explicit(&load->window_start, RELAXED);
    if (now - start >= WINDOW && atomic_compare_exchange_strong(&load->window_start, &start, now)) {
        atomic_store_explicit(&load->rate, jobs * 1000000 / (now - start), RELAXED);
        atomic_store_explicit(&load->window_jobs, 0, RELAXED);
    }
    uint64_t latency = atomic_load_explicit(&load->latency, RELAXED);
    if (latency == 0)
        return true; /* the first job measures it */
    uint64_t offered = atomic_load_explicit(&load->rate, RELAXED) * latency / 1000000;
    uint64_t in_flight = atomic_load_explicit(&load->in_flight, RELAXED) + 1;
    return (offered > in_flight ? offered : in_flight) >= below;
}

void load_begin(struct load *load)
{
    atomic_fetch_add_explicit(&load->in_flight, 1, RELAXED);
}

void load_end(struct load *load, uint64_t start, uint64_t now)
{
    atomic_fetch_sub_explicit(&load->in_flight, 1, RELAXED);
    uint64_t old = atomic_load_explicit(&load->latency, RELAXED), spent = now - start + 1;
    atomic_store_explicit(&load->latency, old == 0 ? spent : (7 * old + spent + 7) / 8, RELAXED);
}
