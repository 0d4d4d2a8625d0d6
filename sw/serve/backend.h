/* What does the jobs: devices behind libeccel, or the paced device.
   SPDX-License-Identifier: Apache-2.0

   All functions are called from the event loop. A job that `submit` has taken comes back by job_done, from any
   thread, with job->result filled in. */
#ifndef SERVE_BACKEND_H
#define SERVE_BACKEND_H

#include "curves.h"
#include "jobs.h"

/* What a device does at the moment, and what it has done. */
struct load {
    uint64_t clocks;      /* of the engine since the start */
    uint64_t busy_clocks; /* with a job */
    uint64_t curve_loads; /* sent to engines */
    size_t in_flight;     /* jobs in a device */
    size_t queued;        /* jobs that wait for one */
    unsigned in_service, devices;
    uint64_t late;        /* jobs of a paced device whose result came after their time: the host limits */
};

struct backend {
    const char *kind;      /* "devices", "paced" */
    int paced;
    char name[64];         /* of the configuration */
    uint64_t clock_khz;    /* nominal, 0 if unknown */
    unsigned max_words;    /* largest W */
    unsigned key_slots;    /* keys that it holds at once, each on another curve */
    struct source *sources[2]; /* of the event loop, or NULL */

    /* Makes a curve ready. Returns a status of the engine: OK also if only a job finds out. */
    int (*curve)(struct backend *backend, struct curve *curve);
    void (*forget)(struct backend *backend, struct curve *curve);

    /* Takes a job. The operands are copied. Returns 0, or an error of the library, with which it has not taken the
       job: ECCEL_ERROR_BUSY asks to try again after another job is done. request->curve is not looked at. */
    int (*submit)(struct backend *backend, struct job *job, const struct eccel_request *request, struct curve *curve);

    /* NULL, or called before the event loop waits. */
    void (*turn)(struct backend *backend);

    void (*load)(struct backend *backend, struct load *load);

    /* Ends the jobs that are left, wipes and frees everything, the backend as well. */
    void (*close)(struct backend *backend);
};

#endif
