/* The plan of a paced device: how long each job takes, and how many run at once.
   SPDX-License-Identifier: Apache-2.0

   `eccel serve CONFIG --paced` writes it from measured clocks and the placed clock. */
#ifndef SERVE_PLAN_H
#define SERVE_PLAN_H

#include "curve.h"

#include <stdint.h>

enum { PLAN_FLAGS = ECCEL_FLAG_RANDOM | ECCEL_FLAG_BLIND /* that change the time of a job */, PLAN_POOLS = 4 };

/* Clocks of a job. alone: the only one in its engine, with the wait for others. group: as many as run at once, one
   group after the other. status: with which the engine answers every such job, if it is not OK. */
struct plan_job {
    uint8_t op, flags, status;
    uint64_t alone, group;
};

struct plan_curve {
    unsigned words;
    uint32_t load[CURVE_LOAD_OPERANDS * CURVE_MAX_WORDS]; /* as in CURVE_LOAD */
    uint64_t load_clocks;
    size_t jobs;
    struct plan_job *job;
};

/* Engines that are alike. window: number of waiting jobs from which the next one is chosen; 1 keeps their order. */
struct plan_pool {
    unsigned engines, threads, window;
    uint64_t wait; /* clocks that an incomplete group waits for more jobs */
    size_t curves;
    struct plan_curve *curve;
};

struct plan {
    char name[64];
    uint64_t clock_khz;
    unsigned max_words, pools;
    struct plan_pool pool[PLAN_POOLS];
};

/* Reads a plan from a file. Returns 0, or -1 with a sentence in `error`. */
int plan_read(struct plan *plan, const char *path, char *error, size_t room);
void plan_free(struct plan *plan);

/* The curve of a pool with these operands of CURVE_LOAD, or NULL. Sizes and constants in `par` do not count. */
const struct plan_curve *plan_find_curve(const struct plan_pool *pool, const uint32_t *load, unsigned words);

/* The clocks of a job, or NULL if the engine has no such job. */
const struct plan_job *plan_find_job(const struct plan_curve *curve, unsigned op, unsigned flags);

#endif
