/* What the files of the paced device share.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_PACED_PARTS_H
#define SERVE_PACED_PARTS_H

#include "paced.h"
#include "plan.h"
#include "remember.h"
#include "schedule.h"
#include "soft.h"
#include "workers.h"

enum { PACED_CURVES = 256 };

struct paced;

/* A curve that the device takes. It stays to the end, with its nonces. */
struct paced_curve {
    uint32_t load[CURVE_LOAD_OPERANDS * CURVE_MAX_WORDS];
    struct soft_curve soft;
    const struct plan_curve *plan; /* NULL: every job takes the same time */
    unsigned pool;
    atomic_int signs;              /* it is worth while to prepare nonces */
};

/* Engines that are alike, with a key slot. */
struct paced_pool {
    struct schedule schedule;
    const struct paced_curve *key_curve; /* NULL: no key */
    unsigned attributes;
    uint8_t key[4 * CURVE_MAX_WORDS];
};

/* A job in the device. */
struct timed {
    struct task task;
    struct chore chore;
    struct timed *next;  /* of those that are computed, or that are free */
    struct timed *after; /* with a fixed latency: the one that ends next */
    struct paced *paced;
    struct paced_curve *curve;
    struct job *job;
    struct eccel_request request;
    struct job_name name;
    int named, computed, due;
    uint64_t at;
    struct eccel_result result;
    uint8_t operand[ECCEL_MAX_OPERANDS][4 * CURVE_MAX_WORDS];
    uint8_t key[4 * CURVE_MAX_WORDS]; /* that KEYGEN or KEY_LOAD sets */
};

struct paced {
    struct backend backend;
    struct log *log;
    struct plan plan;
    unsigned pools;
    struct paced_pool pool[PLAN_POOLS];
    uint64_t latency_ns;        /* of a device with a fixed latency */
    int unlimited;              /* it does any number of jobs at once */
    struct timed *first, *last; /* jobs of such a device, by time */
    struct source computed, timer;
    uint64_t armed;             /* for when the timer is set */
    _Atomic(struct timed *) done;
    struct workers workers;
    struct remember remember;
    BN_CTX *context;            /* for what the event loop computes itself */
    size_t prepare;             /* nonces of a curve */
    atomic_uint curves;
    struct paced_curve *curve[PACED_CURVES];
    struct timed *idle;
    void *blocks;
    size_t in_flight, most;
    uint64_t opened, late, since, busy_ns;
};

/* paced_curves.c: makes a curve known. Returns a status of the engine. */
int paced_take_curve(struct paced *paced, struct curve *curve);

/* paced_curves.c: makes all curves of the plan known, with their nonces. Returns 0 or -1 with a sentence. */
int paced_prepare(struct paced *paced, char *error, size_t room);
void paced_forget_curves(struct paced *paced);

/* paced_curves.c: prepares one nonce, for idle threads. Returns 1 if it has. */
int paced_idle(void *context, BN_CTX *numbers);

/* paced_jobs.c */
int paced_submit(struct backend *backend, struct job *job, const struct eccel_request *request, struct curve *on);
void paced_ended(void *context, struct task *task, uint64_t at); /* the time of a job is over */
void paced_run(struct paced *paced, uint64_t now);               /* ends the jobs whose time is over */
void paced_collect(struct source *source, uint32_t events);      /* takes what the workers have computed */
void paced_free_jobs(struct paced *paced);

#endif
