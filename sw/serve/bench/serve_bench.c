/* eccel-serve-bench: what a job over a socket costs the host, client and server together.
   SPDX-License-Identifier: Apache-2.0

   Keeps a number of jobs in flight through libeccel and prints one JSON object: the rate, and the CPU time of this
   process and of the server for each job. With a server whose results are remembered or cheap (`--latency-ms 0`), that
   is the cost of the way and not of computing. Exit codes: 0, 1 a failure or a wrong status, 2 usage. */
#define _GNU_SOURCE
#include "eccel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bench {
    eccel *handle;
    struct eccel_request request;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned long left, flying, done, failed;
    int status; /* of a job that has failed */
};

/* Takes a job from those that are left. */
static int take(struct bench *bench)
{
    pthread_mutex_lock(&bench->lock);
    int more = bench->left > 0;
    bench->left -= (unsigned long)more;
    bench->flying += (unsigned long)more;
    pthread_mutex_unlock(&bench->lock);
    return more;
}

static void give(struct bench *bench, int status)
{
    pthread_mutex_lock(&bench->lock);
    bench->done++;
    bench->flying--;
    if (status) { /* the run ends: its figures would be those of failures */
        bench->failed++;
        bench->status = status;
        bench->left = 0;
    }
    if (!bench->flying && !bench->left)
        pthread_cond_signal(&bench->ended);
    pthread_mutex_unlock(&bench->lock);
}

static void start(struct bench *bench);

static void done(void *user, const struct eccel_result *result)
{
    struct bench *bench = user;
    start(bench); /* before this one counts as ended, so that the flight never ends too early */
    give(bench, result->result);
}

static void start(struct bench *bench)
{
    if (!take(bench))
        return;
    int error = eccel_submit(bench->handle, &bench->request, done, bench);
    if (error)
        give(bench, error);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run(struct bench *bench, unsigned long jobs, unsigned flight)
{
    bench->left = jobs;
    bench->done = bench->failed = 0;
    for (unsigned i = 0; i < flight; i++)
        start(bench);
    pthread_mutex_lock(&bench->lock);
    while (bench->flying || bench->left)
        pthread_cond_wait(&bench->ended, &bench->lock);
    pthread_mutex_unlock(&bench->lock);
}

/* Operands of the job that is repeated: a point, a scalar, a signature of them. */
static int prepare(struct bench *bench, const eccel_curve *curve, const char *op)
{
    static uint8_t d[ECCEL_MAX_BYTES], x[ECCEL_MAX_BYTES], y[ECCEL_MAX_BYTES], e[32] = {1, 2, 3}, r[ECCEL_MAX_BYTES],
        s[ECCEL_MAX_BYTES];
    size_t field = eccel_curve_field_bytes(curve), order = eccel_curve_order_bytes(curve);
    struct eccel_result result;
    const size_t length = order < sizeof e ? order - 1 : sizeof e - 1;
    d[order - 1] = 77;
    bench->request = (struct eccel_request){.op = ECCEL_OP_BASE_MUL, .curve = curve, .operands = 1, .operand = {{d, order}}};
    int status = eccel_run(bench->handle, &bench->request, &result);
    if (status)
        return status;
    memcpy(x, result.value[0], field);
    memcpy(y, result.value[1], field);
    bench->request = (struct eccel_request){.op = ECCEL_OP_ECDSA_SIGN, .flags = ECCEL_FLAG_RANDOM, .curve = curve,
                                            .operands = 2, .operand = {{e, length}, {d, order}}};
    if ((status = eccel_run(bench->handle, &bench->request, &result)))
        return status;
    memcpy(r, result.value[0], order);
    memcpy(s, result.value[1], order);
    if (!strcmp(op, "sign"))
        return 0;
    if (!strcmp(op, "ecdh"))
        bench->request = (struct eccel_request){.op = ECCEL_OP_ECDH, .curve = curve, .operands = 3,
                                                .operand = {{x, field}, {y, field}, {d, order}}};
    else if (!strcmp(op, "verify"))
        bench->request = (struct eccel_request){
            .op = ECCEL_OP_ECDSA_VERIFY, .curve = curve, .operands = 5,
            .operand = {{e, length}, {r, order}, {s, order}, {x, field}, {y, field}}};
    else
        return ECCEL_ERROR_ARGUMENT;
    return eccel_run(bench->handle, &bench->request, &result);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: eccel-serve-bench URI PID ecdh|sign|verify CURVE JOBS IN_FLIGHT\n"
                        "PID: the server's, for its CPU time\n");
        return 2;
    }
    struct bench bench = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    const eccel_curve *curve = eccel_curve_named(argv[4]);
    unsigned long jobs = strtoul(argv[5], NULL, 10), flight = strtoul(argv[6], NULL, 10);
    clockid_t server;
    if (!curve || !jobs || !flight || flight > 4000 || clock_getcpuclockid((pid_t)atoi(argv[2]), &server)) {
        fprintf(stderr, "eccel-serve-bench: no such curve or process, or no such number\n");
        return 2;
    }
    int status = eccel_open(&bench.handle, argv[1], NULL);
    if (status) {
        fprintf(stderr, "eccel-serve-bench: %s\n", eccel_open_error());
        return 1;
    }
    if (!(status = prepare(&bench, curve, argv[3]))) {
        run(&bench, jobs / 10 + flight, (unsigned)flight); /* warm caches */
        double mine = seconds(CLOCK_PROCESS_CPUTIME_ID), its = seconds(server), wall = seconds(CLOCK_MONOTONIC);
        run(&bench, jobs, (unsigned)flight);
        mine = seconds(CLOCK_PROCESS_CPUTIME_ID) - mine;
        its = seconds(server) - its;
        wall = seconds(CLOCK_MONOTONIC) - wall;
        printf("{\"op\": \"%s\", \"curve\": \"%s\", \"jobs\": %lu, \"in_flight\": %lu, \"failed\": %lu, "
               "\"rate\": %.1f, \"client_us\": %.3f, \"server_us\": %.3f}\n",
               argv[3], eccel_curve_name(curve), jobs, flight, bench.failed, (double)jobs / wall,
               mine / (double)jobs * 1e6, its / (double)jobs * 1e6);
        status = bench.failed ? bench.status : 0;
    }
    if (status)
        fprintf(stderr, "eccel-serve-bench: %s: %s\n", eccel_result_name(status), eccel_advice(status));
    eccel_close(bench.handle);
    return status ? 1 : 0;
}
