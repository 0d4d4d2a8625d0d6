/* Jobs inside the library, and the store that they come from.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_JOB_H
#define ECCEL_JOB_H

#include <stdatomic.h>

#include "packet.h"

struct device;
struct lane;

enum job_kind {
    JOB_USER,
    JOB_LOAD,      /* CURVE_LOAD for a lane */
    JOB_COUNTERS,  /* asks a cluster for its engines */
    JOB_SELF_TEST, /* of a device that comes back */
};

enum job_state {
    JOB_QUEUED,
    JOB_SENT,
    JOB_ABANDONED /* its user has his result, but its tag is still with the device */
};

struct job {
    struct job *next, *previous;   /* in a queue, or in the list of the device that has it */
    struct job *later, *earlier;   /* by deadline */
    uint64_t deadline, sent;       /* microseconds */
    eccel_done *done;
    void *user;
    const atomic_int *cancelled;   /* NULL, or not zero: nobody waits for the result */
    const eccel_curve *curve;
    struct lane *lane;
    struct device *device;
    size_t result_bytes;
    int target;                    /* index of the only device that may do it, or -1 */
    unsigned place;                /* of the curve in the device that has it */
    unsigned words;                /* of the packet */
    uint32_t tried;                /* devices whose slot had no key */
    enum job_kind kind;
    enum job_state state;
    uint8_t op, flags;
    uint8_t moved;                 /* 1: was with another device before */
    uint8_t reloads;               /* times that it lost its curve or its entropy */
    uint8_t options;               /* enum eccel_request_option */
    uint32_t packet[PACKET_LOAD_WORDS];
};

/* A list of jobs with links next and previous. */
struct job_list {
    struct job *head, *tail;
    unsigned count;
};

void job_append(struct job_list *list, struct job *job);
void job_prepend(struct job_list *list, struct job *job);
void job_remove(struct job_list *list, struct job *job);

enum { JOB_STORE_BYTES = 1 << 16, JOB_STORES = 1024 };

/* Free jobs. Memory grows as needed and is given back at job_store_free. Not thread-safe. */
struct job_store {
    struct job *free;
    unsigned stores;
    void *store[JOB_STORES];
};

/* A job of which only the links and flags are set (to 0), or NULL. */
struct job *job_take(struct job_store *store);

/* Wipes a job, so that it can be given to job_return. */
void job_wipe(struct job *job);
void job_return(struct job_store *store, struct job *job);
void job_store_free(struct job_store *store);

#endif
