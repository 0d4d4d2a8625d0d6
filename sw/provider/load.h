/* Decides whether a device is worth its latency at the present load.
   SPDX-License-Identifier: Apache-2.0

   A device wins by doing many jobs at once; a single job is often done sooner in software. With the setting
   `software-below = N`, a job goes to a device only if at least N jobs would be in flight there. That number is
   estimated as the rate of jobs times the latency of the device (Little's law), because the jobs really in flight
   would stay at 0 as long as everything is done in software. All times are in microseconds. */
#ifndef ECCEL_PROVIDER_LOAD_H
#define ECCEL_PROVIDER_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct load {
    atomic_uint_least64_t window_start, window_jobs; /* the present window */
    atomic_uint_least64_t rate;                      /* jobs a second in the one before */
    atomic_uint_least64_t latency;                   /* of the device, smoothed; 0: not known yet */
    atomic_uint_least64_t in_flight;
};

uint64_t load_now(void);

/* Counts a job, and tells whether it should go to a device. */
bool load_wants_device(struct load *load, unsigned below, uint64_t now);

/* Around a job in a device. */
void load_begin(struct load *load);
void load_end(struct load *load, uint64_t start, uint64_t now);

#endif
