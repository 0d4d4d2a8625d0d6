/* The session of a process. See process.h.
   SPDX-License-Identifier: Apache-2.0

   The state is global because PARI and Octave call functions without a context of ours. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    maths *session;
    int tried;
    char why[MATHS_WHY];
    atomic_int warned;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A number of the environment. Returns 0, or -1 if it is malformed. */
static int setting(unsigned *value, const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    char *end = NULL;
    unsigned long number = text && *text ? strtoul(text, &end, 10) : otherwise;
    *value = (unsigned)number;
    return (end && *end) || number > 1000000000UL ? -1 : 0;
}

static void open_session(void)
{
    struct maths_settings settings = {.devices = getenv("ECCEL_DEVICES")};
    if (!settings.devices || !*settings.devices)
        (void)snprintf(process.why, sizeof process.why, "ECCEL_DEVICES is not set: it says where the engine is");
    else if (setting(&settings.min_bits, "ECCEL_MIN_BITS", 64) ||
             setting(&settings.timeout_ms, "ECCEL_TIMEOUT_MS", 60000))
        (void)snprintf(process.why, sizeof process.why, "ECCEL_MIN_BITS or ECCEL_TIMEOUT_MS is not a number");
    else if (!maths_open(&process.session, &settings, process.why))
        (void)atexit(process_end);
}

maths *process_session(char why[MATHS_WHY])
{
    (void)pthread_mutex_lock(&process.lock);
    if (!process.tried) {
        process.tried = 1;
        open_session();
    }
    if (!process.session)
        (void)snprintf(why, MATHS_WHY, "%s", process.why);
    maths *session = process.session;
    (void)pthread_mutex_unlock(&process.lock);
    return session;
}

int process_strict(void)
{
    const char *text = getenv("ECCEL_STRICT");
    return text && *text && strcmp(text, "0") != 0;
}

int process_should_warn(void)
{
    return !atomic_exchange(&process.warned, 1);
}

/* Appends to a text of `used` characters. Returns its new length, or `room` if it does not fit. */
static size_t append(char *out, size_t room, size_t used, const char *text)
{
    size_t length = strlen(text);
    if (used >= room || length >= room - used)
        return room;
    memcpy(out + used, text, length + 1);
    return used + length;
}

size_t process_report(char *out, size_t room)
{
    char line[4 * MATHS_WHY + 256], devices[256], why[MATHS_WHY];
    struct maths_counter counter;
    maths *session = process_session(why);
    if (!session)
        return 0;
    uint64_t khz = maths_devices(session, devices, sizeof devices);
    (void)snprintf(line, sizeof line, "{\"devices\": \"%s\", \"clock_khz\": %llu", devices, (unsigned long long)khz);
    size_t used = append(out, room, 0, line);
    for (int kind = 0; kind < MATHS_KINDS; kind++) {
        maths_count(session, (enum maths_kind)kind, &counter);
        (void)snprintf(line, sizeof line,
                       ", \"%s\": {\"calls\": %llu, \"jobs\": %llu, \"cycles\": %llu, \"declined\": %llu, "
                       "\"failed\": %llu, \"why\": \"%s\"}",
                       maths_kind_name((enum maths_kind)kind), (unsigned long long)counter.calls,
                       (unsigned long long)counter.jobs, (unsigned long long)counter.cycles,
                       (unsigned long long)counter.declined, (unsigned long long)counter.failed, counter.why);
        used = append(out, room, used, line);
    }
    used = append(out, room, used, "}\n");
    return used < room ? used : 0;
}

static void write_lines(maths *session)
{
    char devices[256];
    struct maths_counter counter;
    uint64_t khz = maths_devices(session, devices, sizeof devices);
    (void)fprintf(stderr, "eccel: on %s", devices);
    (void)fprintf(stderr, khz ? ", placed for %.1f MHz\n" : "\n", (double)khz / 1000);
    for (int kind = 0; kind < MATHS_KINDS; kind++) {
        maths_count(session, (enum maths_kind)kind, &counter);
        if (!counter.calls && !counter.declined && !counter.failed)
            continue;
        (void)fprintf(stderr, "eccel: %-9s %llu", maths_kind_name((enum maths_kind)kind),
                      (unsigned long long)counter.calls);
        if (counter.calls && counter.cycles) {
            double each = (double)counter.cycles / (double)counter.calls;
            (void)fprintf(stderr, ", %.0f clocks each", each);
            if (khz)
                (void)fprintf(stderr, " (%.4g ms, %.0f/s)", each / (double)khz, 1000 * (double)khz / each);
        }
        if (counter.declined || counter.failed)
            (void)fprintf(stderr, "; by the package: %llu, failed: %llu (%s)", (unsigned long long)counter.declined,
                          (unsigned long long)counter.failed, counter.why);
        (void)fputc('\n', stderr);
    }
}

void process_end(void)
{
    const char *wanted = getenv("ECCEL_REPORT");
    char text[8192];
    if (process.session && wanted && *wanted && strcmp(wanted, "0") != 0) {
        if (!strcmp(wanted, "1")) {
            write_lines(process.session);
        } else {
            size_t length = process_report(text, sizeof text);
            FILE *file = fopen(wanted, "w");
            if (!file || fwrite(text, 1, length, file) != length)
                (void)fprintf(stderr, "eccel: cannot write %s\n", wanted);
            if (file)
                (void)fclose(file);
        }
    }
    (void)pthread_mutex_lock(&process.lock);
    maths *session = process.session;
    process.session = NULL;
    (void)snprintf(process.why, sizeof process.why, "the session has ended");
    (void)pthread_mutex_unlock(&process.lock);
    maths_close(session);
}
