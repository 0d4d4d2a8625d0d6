/* Threads that use one handle at once, in all three ways: every sum must be right.
   SPDX-License-Identifier: Apache-2.0

   stress URIS THREADS JOBS    each thread adds JOBS pairs of numbers. Exit code 0 if all sums are right. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eccel.h"

enum { AT_ONCE = 16 };

static eccel *handle;
static atomic_uint wrong, right;

struct sum {
    unsigned expected;
    atomic_uint done;
};

static void check(unsigned expected, const struct eccel_result *result)
{
    unsigned found = 0;
    for (size_t i = 0; i < result->bytes; i++)
        found = found << 8 | result->value[0][i];
    if (result->result == 0 && result->values == 1 && found == expected)
        atomic_fetch_add(&right, 1);
    else if (atomic_fetch_add(&wrong, 1) < 5)
        fprintf(stderr, "%s: %u in place of %u\n", eccel_result_name(result->result), found, expected);
}

static void called(void *user, const struct eccel_result *result)
{
    struct sum *sum = user;
    check(sum->expected, result);
    atomic_store(&sum->done, 1);
}

static void *work(void *argument)
{
    static const char *const names[] = {"P-256", "secp256k1"};
    unsigned seed = (unsigned)(size_t)argument, jobs = seed >> 16;
    for (unsigned n = 0; n < jobs;) {
        struct eccel_result result;
        struct sum sums[AT_ONCE];
        eccel_job *started[AT_ONCE];
        uint8_t operands[AT_ONCE][2];
        unsigned count = jobs - n < AT_ONCE ? jobs - n : AT_ONCE, way = n / AT_ONCE % 3;
        for (unsigned i = 0; i < count; i++, n++) {
            seed = seed * 1103515245u + 12345u;
            operands[i][0] = (uint8_t)(seed >> 16);
            operands[i][1] = (uint8_t)(seed >> 24);
            sums[i].expected = operands[i][0] + operands[i][1];
            atomic_init(&sums[i].done, 0);
            struct eccel_request request = {.op = ECCEL_OP_MOD_ADD,
                                            .curve = eccel_curve_named(names[seed >> 30 & 1]),
                                            .operands = 2,
                                            .operand = {{&operands[i][0], 1}, {&operands[i][1], 1}}};
            int error = way == 0   ? eccel_submit(handle, &request, called, &sums[i])
                        : way == 1 ? eccel_start(handle, &request, &started[i])
                                   : (eccel_run(handle, &request, &result), 0);
            if (error) {
                fprintf(stderr, "%s\n", eccel_result_name(error));
                exit(1);
            }
            if (way == 2)
                check(sums[i].expected, &result);
        }
        for (unsigned i = 0; i < count && way < 2; i++) {
            while (way == 0 && !atomic_load(&sums[i].done))
                usleep(100);
            if (way == 1) {
                (void)eccel_wait(started[i], -1, &result);
                check(sums[i].expected, &result);
                eccel_job_free(started[i]);
            }
        }
    }
    return NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[64];
    if (count != 4 || atoi(arguments[2]) > 64) {
        fprintf(stderr, "stress URIS THREADS JOBS\n");
        return 2;
    }
    unsigned number = (unsigned)atoi(arguments[2]), jobs = (unsigned)atoi(arguments[3]);
    struct eccel_options options = {.timeout_ms = 60000};
    if (eccel_open(&handle, arguments[1], &options)) {
        fprintf(stderr, "%s\n", eccel_open_error());
        return 1;
    }
    for (unsigned i = 0; i < number; i++)
        (void)pthread_create(&threads[i], NULL, work, (void *)(size_t)(jobs << 16 | (i + 1)));
    for (unsigned i = 0; i < number; i++)
        (void)pthread_join(threads[i], NULL);
    eccel_close(handle);
    printf("%u right, %u wrong\n", atomic_load(&right), atomic_load(&wrong));
    return atomic_load(&wrong) || atomic_load(&right) != number * jobs;
}
