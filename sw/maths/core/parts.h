/* What the files of this folder know of each other.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_MATHS_PARTS_H
#define ECCEL_MATHS_PARTS_H

#include <pthread.h>

#include "curve.h"
#include "eccel.h"
#include "maths.h"

enum {
    MAX_LOADED = 256,  /* curves of a session: more moduli than these are declined */
    ENGINE_BITS = 32 * CURVE_MAX_WORDS
};

/* A curve that the engine has loaded, or will load at the next job. */
struct loaded {
    struct loaded *next;
    const eccel_curve *curve;
    int own;       /* eccel_curve_new made it */
    int refused;   /* no device takes it */
    int has_order; /* `order` is that of the curve: multiples of points are right */
    mpz_t p, a, b, n, order, gx, gy;
};

struct maths {
    eccel *engine;
    unsigned min_bits;
    pthread_mutex_t lock; /* of what follows */
    struct loaded *first;
    unsigned loaded;
    struct maths_counter counters[MATHS_KINDS];
};

/* Copies a reason; returns `result`. */
int because(char why[MATHS_WHY], const char *text, int result);

/* Adds the result of a call, and the jobs and clocks it took, to the counters. Returns `result`. */
int counted(maths *session, enum maths_kind kind, int result, uint64_t jobs, uint64_t cycles, const char *why);

/* The catalogue's prime curves, as entries of the list. Returns 0 or ECCEL_ERROR_MEMORY. */
int loaded_catalogue(maths *session);
void loaded_free(maths *session);

/* The entry whose p (*mod_n = 0) or n (*mod_n = 1) is m; if there is none, a curve with the prime m is made up. The
   entry is not freed before the session. NULL with a reason if m is no prime, or no device takes it. */
struct loaded *loaded_modulus(maths *session, const mpz_t m, int *mod_n, char why[MATHS_WHY]);

/* The entry of a curve; with `multiples`, one whose order is known and right. `point`, which
   is on the curve or infinity, can serve as the base point that an engine has to load. */
struct loaded *loaded_curve(maths *session, const struct maths_curve *curve, int multiples,
                            const struct maths_point *point, char why[MATHS_WHY]);

/* An entry for products of integers: that of the largest prime of the catalogue that a device takes. */
struct loaded *loaded_for_products(maths *session);
void loaded_refuse(maths *session, struct loaded *entry);
int loaded_is_refused(maths *session, const struct loaded *entry);

/* 1 if (x, y) satisfies the equation, with 0 <= x, y < p. */
int on_curve(const struct maths_curve *curve, const struct maths_point *point);

/* 1 if the curve has curve->order = h n points, proven with the point (gx, gy); n is prime. */
int order_is_right(const struct maths_curve *curve, const mpz_t n);

/* One job of the engine: operands are 0 or positive. */
struct work {
    const struct loaded *entry;
    uint8_t op, flags;
    unsigned operands;
    mpz_srcptr operand[ECCEL_MAX_OPERANDS];
    uint8_t bytes[ECCEL_MAX_OPERANDS][ECCEL_MAX_BYTES]; /* filled by the functions below */
};

/* Runs a job. MATHS_DONE: `result` is that of libeccel with OK or INFINITY. An entry that no device takes is marked. */
int work_run(maths *session, struct work *work, struct eccel_result *result, char why[MATHS_WHY]);

/* The same in two steps, for several jobs at once. work_wait frees the job. */
int work_start(maths *session, struct work *work, eccel_job **job, char why[MATHS_WHY]);
int work_wait(maths *session, struct work *work, eccel_job *job, struct eccel_result *result, char why[MATHS_WHY]);

/* A value of a result. */
void value_of(mpz_t r, const struct eccel_result *result, unsigned index);

#endif
