/* Sessions: devices, settings, counters. See maths.h.
   SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const char *const names[MATHS_KINDS] = {"product", "mod_mul", "mod_add", "mod_inv",
                                               "mod_exp", "point_mul", "point_add"};

int because(char why[MATHS_WHY], const char *text, int result)
{
    (void)snprintf(why, MATHS_WHY, "%s", text);
    return result;
}

int maths_open(maths **session, const struct maths_settings *settings, char why[MATHS_WHY])
{
    struct eccel_options options = {.timeout_ms = settings->timeout_ms};
    maths *made = calloc(1, sizeof *made);
    *session = NULL;
    if (!made)
        return because(why, "not enough memory", ECCEL_ERROR_MEMORY);
    made->min_bits = settings->min_bits;
    (void)pthread_mutex_init(&made->lock, NULL);
    int error = eccel_open(&made->engine, settings->devices, &options);
    if (error)
        (void)because(why, eccel_open_error(), error);
    else if ((error = loaded_catalogue(made)) != 0)
        (void)because(why, "not enough memory", error);
    if (error)
        maths_close(made);
    else
        *session = made;
    return error;
}

void maths_close(maths *session)
{
    if (!session)
        return;
    eccel_close(session->engine);
    loaded_free(session);
    (void)pthread_mutex_destroy(&session->lock);
    free(session);
}

unsigned maths_min_bits(const maths *session)
{
    return session->min_bits;
}

int counted(maths *session, enum maths_kind kind, int result, uint64_t jobs, uint64_t cycles, const char *why)
{
    struct maths_counter *counter = &session->counters[kind];
    (void)pthread_mutex_lock(&session->lock);
    counter->jobs += jobs;
    counter->cycles += cycles;
    if (result == MATHS_DONE) {
        counter->calls++;
    } else {
        *(result == MATHS_DECLINED ? &counter->declined : &counter->failed) += 1;
        (void)snprintf(counter->why, sizeof counter->why, "%s", why);
    }
    (void)pthread_mutex_unlock(&session->lock);
    return result;
}

void maths_count(maths *session, enum maths_kind kind, struct maths_counter *counter)
{
    (void)pthread_mutex_lock(&session->lock);
    *counter = session->counters[kind];
    (void)pthread_mutex_unlock(&session->lock);
}

const char *maths_kind_name(enum maths_kind kind)
{
    return names[kind];
}

uint64_t maths_devices(maths *session, char *text, size_t room)
{
    uint64_t slowest = 0;
    size_t used = 0, count = eccel_device_count(session->engine);
    struct eccel_device_info info;
    text[0] = 0;
    for (size_t i = 0; i < count && !eccel_device(session->engine, i, &info); i++) {
        int wrote = snprintf(text + used, room - used, "%s%s%s", i ? ", " : "", *info.name ? info.name : info.uri,
                             info.paced ? " (paced: computed in software)" : "");
        if (wrote > 0 && (size_t)wrote < room - used)
            used += (size_t)wrote;
        for (char *at = text; *at; at++) /* the report is JSON */
            *at = *at == '"' || *at == '\\' ? '?' : *at;
        slowest = i && slowest < info.clock_khz ? slowest : info.clock_khz;
    }
    return slowest;
}

void maths_curve_init(struct maths_curve *curve)
{
    mpz_inits(curve->p, curve->a, curve->b, curve->order, curve->gx, curve->gy, NULL);
    curve->proven = 0;
}

void maths_curve_clear(struct maths_curve *curve)
{
    mpz_clears(curve->p, curve->a, curve->b, curve->order, curve->gx, curve->gy, NULL);
}

void maths_point_init(struct maths_point *point)
{
    mpz_inits(point->x, point->y, NULL);
    point->infinity = 0;
}

void maths_point_clear(struct maths_point *point)
{
    mpz_clears(point->x, point->y, NULL);
}
