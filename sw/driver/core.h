/* The core: what one I/O thread does with jobs, curves and devices.
   SPDX-License-Identifier: Apache-2.0

   Threads that submit jobs only put them into a mailbox (handle.c). Everything in this header belongs to the I/O thread
   alone and has no locks; what other threads may read is atomic, or copied under the handle's lock. */
#ifndef ECCEL_CORE_H
#define ECCEL_CORE_H

#include "frame.h"
#include "job.h"
#include "link.h"

enum {
    CORE_DEVICES = 16,
    CORE_LANES = 64,    /* curves that are remembered without a job */
    DEVICE_PLACES = 256, /* curve ids of a server */
    DEVICE_TAGS = 1024,
    TAG_MASK = 0x1fff /* the upper three bits belong to a shell with several windows */
};

#define NEVER UINT64_MAX

/* Jobs of one curve that wait for one device, and the state of the curve there. */
struct queue {
    struct job_list jobs;
    int place;           /* where the curve is, or is being loaded, or -1 */
    uint64_t refused;    /* bit p: place p does not take this curve */
    int refusal;         /* with this status */
    int no_blinding;     /* 1: the engine has refused the flag BLIND */
};

/* A curve that is in use. */
struct lane {
    struct lane *next;
    struct eccel_curve curve;
    const eccel_curve *source; /* the entry of the catalogue, or NULL */
    struct device *key;        /* the device whose slot has a key of this curve */
    unsigned jobs;             /* queued or sent */
    uint64_t used;             /* number of its last use, for the one that is forgotten first */
    struct queue queue[CORE_DEVICES];
    uint32_t numbers[CURVE_NUMBERS * CURVE_MAX_WORDS];
};

/* A place for a curve: a pool of an engine, or a curve id of a server. */
struct place {
    struct lane *lane;
    int loading, key;
    unsigned curve_id;
    unsigned in_flight, served; /* jobs since the curve was loaded */
    uint64_t since;             /* when it was loaded */
};

enum device_state { DEVICE_DOWN, DEVICE_CONNECTING, DEVICE_PROBING, DEVICE_UP };

struct device {
    struct core *core;
    struct link *link;
    unsigned index;
    enum device_state state;
    int first;           /* it has not been reached yet */
    int suspect;         /* it has failed: a self-test comes before the next job */
    uint64_t timer;      /* DOWN: when to try again; CONNECTING, PROBING: when to give up */
    int is_server;
    unsigned window_ids; /* curve ids that this window may use, of each pool */
    unsigned first_id, next_id;
    unsigned places, engines, threads, probed;
    struct place place[DEVICE_PLACES];
    struct lane *test_lane; /* whose curve the self-test uses */
    struct job *by_tag[DEVICE_TAGS];
    struct job_list sent;
    struct job_list plain; /* jobs without a curve that wait */
    unsigned tag, queued, word_limit, words_out, job_limit;
    uint64_t last_answer, up_since, job_time, load_time; /* microseconds */
    /* For eccel_device: */
    atomic_int in_service, last_error;
    atomic_int banned; /* 1: it has given a wrong result, and stays out */
    atomic_uint in_flight_now, queued_now;
    atomic_ullong answered, failures;
    atomic_uint loads; /* curves loaded */
    struct eccel_device_info info; /* uri, name, clock_khz, paced: under core->lock */
};

struct core {
    unsigned devices;
    struct device *device[CORE_DEVICES];
    struct lane *lanes;
    unsigned lane_count;
    uint64_t lane_uses;
    int queued; /* a job was queued since core_work has looked */
    struct job *first, *last; /* all live jobs, by deadline */
    struct job_list freed;    /* wiped, to be returned to the store */
    struct job *(*spare)(struct core *core); /* a job for the core itself */
    void (*lock)(struct core *core, int on);
    atomic_uint held;         /* jobs of users */
    uint64_t timeout, retry, connect; /* microseconds */
};

uint64_t core_now(void);

/* lane.c */
struct lane *lane_of(struct core *core, const eccel_curve *curve);
int lane_refusal(const struct lane *lane, const struct device *device);

/* core.c */
void core_accept(struct core *core, struct job *job, uint64_t now);
void core_finish(struct core *core, struct job *job, int result);
void core_move(struct core *core, struct job *job, int error, uint64_t now);
void core_release(struct core *core, struct job *job);
void core_track(struct core *core, struct job *job, uint64_t deadline);
void core_untrack(struct core *core, struct job *job);
int core_assign(struct core *core, struct job *job, uint64_t now);
/* Works off timers, sends what can be sent. Returns the time at which it wants to be called again. */
uint64_t core_work(struct core *core, uint64_t now);
void core_end(struct core *core, int result);

/* device.c */
void device_start(struct device *device, uint64_t now);
void device_fail(struct device *device, int error, uint64_t now);
void device_ban(struct device *device, uint64_t now);
void device_check(struct device *device, int error, uint64_t now);
void device_tick(struct device *device, uint64_t now);
uint64_t device_cost(const struct device *device, const struct lane *lane, uint64_t unknown);
void device_enqueue(struct device *device, struct job *job, int front);
void device_dequeue(struct device *device, struct job *job);
void device_publish(struct device *device);
int device_issue(struct device *device, struct job *job, unsigned curve_id, uint64_t now);
void device_load(struct device *device, struct lane *lane, unsigned place, uint64_t now);

/* answers.c: device_response of link.h */

/* serve.c */
void device_serve(struct device *device, uint64_t now);
void device_forget_curve(struct device *device, struct lane *lane);
int device_takes(const struct device *device, const struct lane *lane);

/* probe.c */
void device_probe(struct device *device, uint64_t now);
int device_probed(struct device *device, struct job *job, const uint32_t *response, uint64_t now);

#endif
