/* Chooses between device and software, and runs jobs in devices.
   SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

#include <openssl/async.h>
#include <string.h>

#include "errors.h"
#include "provider.h"

#define ATTEMPTS 4 /* a signature with r or s = 0 is tried again; each time has a chance below 2^-100 */

void engine_init(struct engine *engine)
{
    pthread_mutex_init(&engine->opening, NULL);
    engine->handle = NULL;
    engine->retry_at = 0;
}

void engine_cleanup(struct engine *engine)
{
    eccel_close(atomic_exchange(&engine->handle, NULL));
    pthread_mutex_destroy(&engine->opening);
}

void engine_forked(struct engine *engine)
{
    pthread_mutex_init(&engine->opening, NULL); /* another thread of the parent may have held it */
}

/* Called with the lock held. */
static eccel *try_to_open(struct provider *provider)
{
    const struct config *config = &provider->config;
    struct engine *engine = &provider->engine;
    eccel *handle = engine->handle;
    if (handle != NULL || load_now() < engine->retry_at)
        return handle;
    struct eccel_options options = {.timeout_ms = config->timeout_ms, .retry_ms = config->retry_ms,
                                    .connect_ms = config->connect_ms, .max_in_flight = config->max_in_flight};
    if (eccel_open(&handle, config->devices, &options) != 0) {
        engine->retry_at = load_now() + (uint64_t)config->retry_ms * 1000;
        return NULL;
    }
    engine->handle = handle;
    return handle;
}

eccel *engine_handle(struct provider *provider)
{
    struct engine *engine = &provider->engine;
    eccel *handle = engine->handle;
    if (handle != NULL || provider->config.devices == NULL)
        return handle;
    if (provider->config.fallback && engine->retry_at != 0) {
        if (pthread_mutex_trylock(&engine->opening) != 0)
            return NULL; /* it has failed before, and another thread tries again: software is quicker than waiting */
    } else {
        pthread_mutex_lock(&engine->opening);
    }
    handle = try_to_open(provider);
    pthread_mutex_unlock(&engine->opening);
    return handle;
}

/* Whether a device has looked at the operands and answered; everything else is a failure or "not here". */
static bool is_answer(int result)
{
    switch (result) {
    case ECCEL_OK:
    case ECCEL_INFINITY:
    case ECCEL_BAD_SIGNATURE:
    case ECCEL_NOT_ON_CURVE:
    case ECCEL_COORD_RANGE:
    case ECCEL_SCALAR_RANGE:
    case ECCEL_EXCEPTIONAL:
    case ECCEL_KEY_REFUSED:
    case ECCEL_NO_KEY:
        return true;
    default:
        return false;
    }
}

static int run_once(struct provider *provider, eccel *handle, const struct eccel_request *request,
                    struct eccel_result *result)
{
    ASYNC_JOB *job = ASYNC_get_current_job();
    int outcome = job != NULL ? async_run(&provider->async, job, handle, request, result) : ASYNC_RUN_UNAVAILABLE;
    return outcome == ASYNC_RUN_UNAVAILABLE ? eccel_run(handle, request, result) : outcome;
}

static int run(struct provider *provider, const struct curve *curve, const struct eccel_request *request,
               struct eccel_result *result)
{
    if (curve->device == NULL)
        return ECCEL_ERROR_UNSUPPORTED;
    eccel *handle = engine_handle(provider);
    if (handle == NULL)
        return ECCEL_ERROR_ABSENT;
    uint64_t start = load_now();
    load_begin(&provider->load);
    int outcome = ECCEL_RETRY;
    for (int i = 0; i < ATTEMPTS && outcome == ECCEL_RETRY; i++)
        outcome = run_once(provider, handle, request, result);
    load_end(&provider->load, start, load_now());
    return outcome;
}

enum outcome engine_run(struct provider *provider, const struct curve *curve, enum operation operation,
                        bool device_only, const struct eccel_request *request, struct eccel_result *result)
{
    const struct config *config = &provider->config;
    if (!device_only &&
        (!curve->hardware[operation] || (config->devices == NULL && config->fallback) ||
         !load_wants_device(&provider->load, config->software_below, config->software_below ? load_now() : 0)))
        return OUTCOME_SOFTWARE;
    int outcome = run(provider, curve, request, result);
    if (is_answer(outcome)) {
        COUNT(provider->counters->hardware[operation]);
        return OUTCOME_DONE;
    }
    if (outcome == ASYNC_RUN_ABANDONED) {
        COUNT(provider->counters->failed[operation]);
        RAISE(provider, REASON_ABANDONED, NULL);
        return OUTCOME_FAILED;
    }
    COUNT(provider->counters->device_errors);
    if (config->fallback && !device_only)
        return OUTCOME_SOFTWARE;
    COUNT(provider->counters->failed[operation]);
    if (outcome == ECCEL_ERROR_ABSENT)
        RAISE(provider, REASON_NO_DEVICE, "devices = %s", config->devices != NULL ? config->devices : "");
    else
        RAISE(provider, REASON_DEVICE, "%s: %s", eccel_result_name(outcome), eccel_advice(outcome));
    return OUTCOME_FAILED;
}

bool engine_software(struct provider *provider, enum operation operation, bool done)
{
    if (done)
        COUNT(provider->counters->software[operation]);
    else
        COUNT(provider->counters->failed[operation]);
    return done;
}

bool engine_refused(struct provider *provider, enum operation operation, int status)
{
    COUNT(provider->counters->failed[operation]);
    RAISE(provider, REASON_REFUSED, "%s: %s", eccel_result_name(status), eccel_advice(status));
    return false;
}

void engine_value(const struct eccel_result *result, int index, uint8_t *value, size_t bytes)
{
    size_t have = result->bytes < bytes ? result->bytes : bytes;
    memset(value, 0, bytes - have);
    memcpy(value + bytes - have, result->value[index] + result->bytes - have, have);
}
