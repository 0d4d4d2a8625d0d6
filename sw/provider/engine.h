/* The devices: opened when they are needed, and asked for each job as the settings say.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_ENGINE_H
#define ECCEL_PROVIDER_ENGINE_H

#include <eccel.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "counters.h"

struct provider;
struct curve;

struct engine {
    pthread_mutex_t opening;
    _Atomic(eccel *) handle;         /* NULL: not open */
    atomic_uint_least64_t retry_at;  /* load_now() from which eccel_open is tried again */
};

enum outcome {
    OUTCOME_DONE,     /* *result is the answer of a device; it may be a refusal */
    OUTCOME_SOFTWARE, /* do it in software, then tell engine_software */
    OUTCOME_FAILED    /* an error has been raised and counted */
};

void engine_init(struct engine *engine);
void engine_cleanup(struct engine *engine);
/* In the child of a fork. An open handle goes on: libeccel gets connections of its own. */
void engine_forked(struct engine *engine);

/* Does one job, and counts it. In an ASYNC_JOB the job pauses. `device_only`: software is no alternative. */
enum outcome engine_run(struct provider *provider, const struct curve *curve, enum operation operation,
                        bool device_only, const struct eccel_request *request, struct eccel_result *result);

/* Counts an operation that was done in software, or that failed there. Returns `done`. */
bool engine_software(struct provider *provider, enum operation operation, bool done);

/* Raises REFUSED with the device's reason, and counts the failure. Returns false. */
bool engine_refused(struct provider *provider, enum operation operation, int status);

/* Value number `index` of an answer as `bytes` bytes, most significant first. */
void engine_value(const struct eccel_result *result, int index, uint8_t *value, size_t bytes);

/* The open handle; NULL if no device can be reached. */
eccel *engine_handle(struct provider *provider);

#endif
