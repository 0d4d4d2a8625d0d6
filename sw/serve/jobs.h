/* Jobs under way, and the list by which other threads hand finished ones to the event loop.
   SPDX-License-Identifier: Apache-2.0

   A job belongs to the event loop, except between its submission and job_done. It holds no operand, only the result,
   which is wiped when the job is freed. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "eccel.h"
#include "loop.h"

#include <stdatomic.h>

struct connection;
struct curve;
struct jobs;

/* What the server does with the result. */
enum purpose {
    PURPOSE_ANSWER,    /* sends it to the connection */
    PURPOSE_CURVE,     /* the check of a curve: its status answers CURVE_LOAD */
    PURPOSE_KEY,       /* KEY_LOAD or KEYGEN: the slot is occupied if it succeeds */
    PURPOSE_ZEROISE,   /* ZEROISE of a connection */
    PURPOSE_RELEASE    /* ZEROISE of the server itself */
};

struct job {
    struct job *next;
    struct jobs *jobs;
    struct connection *connection; /* NULL: nobody waits for the answer */
    uint32_t epoch;                /* of the connection: after a reset, older answers are dropped */
    struct curve *curve;
    uint32_t head;                 /* word 0 of the request: operation, curve id, tag */
    unsigned words;                /* W */
    enum purpose purpose;
    unsigned slot;                 /* of a key, for PURPOSE_KEY, _ZEROISE and _RELEASE */
    void *backend_data;            /* of the backend that has it */
    struct eccel_result result;
};

struct jobs {
    struct source source; /* an eventfd: readable when jobs are done */
    _Atomic(struct job *) done;
    struct job *idle;
    void *blocks; /* of memory */
    size_t in_flight;
};

/* Returns 0 or -1 with errno. */
int jobs_open(struct jobs *jobs);
void jobs_close(struct jobs *jobs);

/* A zeroed job, or NULL if there is no memory. job_free wipes it. */
struct job *job_new(struct jobs *jobs);
void job_free(struct job *job);

/* Hands a job with its result to the event loop. From any thread. */
void job_done(struct job *job);

/* The same from the event loop itself, which takes the job before it waits again. */
void job_done_here(struct job *job);

/* All jobs that are done, in that order, linked by `next`. */
struct job *jobs_take(struct jobs *jobs);

#endif
