/* The CPU that the library takes for a job: a server in a child answers at once, and 64 jobs are always in flight.
   SPDX-License-Identifier: Apache-2.0

   cost FOLDER JOBS    prints microseconds of CPU for one job in this process, and wall time for one job alone. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "eccel.h"
#include "frame.h"
#include "gen/eccel_regs.h"

enum { IN_FLIGHT = 64, ONE_AT_A_TIME = 2000 };

static eccel *handle;
static atomic_uint left, wrong;
static atomic_uint running;

/* Answers every request with zeros. */
static void serve(int listener)
{
    static struct frame_reader reader;
    static uint8_t out[1 << 16];
    int fd = accept(listener, NULL, NULL);
    for (;;) {
        struct frame frame;
        size_t room, end = 0;
        uint8_t *at = frame_reader_space(&reader, &room);
        ssize_t got = read(fd, at, room);
        if (got <= 0)
            _exit(0);
        frame_reader_added(&reader, (size_t)got);
        while (frame_reader_next(&reader, &frame) == FRAME_WHOLE) {
            uint32_t status[] = {ECCEL_ID_VALUE, 0, FRAME_STATUS_SERVER, 0}, answer[2 + 16] = {0};
            if (frame.type == FRAME_HELLO) {
                end += frame_write(out + end, FRAME_STATUS, status, 4);
                continue;
            }
            uint32_t op = frame.content[0] & 0xff, words = op == ECCEL_OP_ECDSA_SIGN ? 16 : 0;
            answer[0] = (frame.content[0] & 0xffff0000) | op << 8;
            answer[1] = words;
            end += frame_write(out + end, FRAME_RESPONSE, answer, 2 + words);
        }
        if (write(fd, out, end) != (ssize_t)end)
            _exit(1);
    }
}

static int submit(void);

static void done(void *user, const struct eccel_result *result)
{
    (void)user;
    if (result->result || result->values != 2)
        atomic_fetch_add(&wrong, 1);
    atomic_fetch_sub(&running, 1);
    if (atomic_load(&left)) {
        atomic_fetch_sub(&left, 1);
        (void)submit();
    }
}

static struct eccel_request request(void)
{
    static const uint8_t number[32] = {1};
    return (struct eccel_request){.op = ECCEL_OP_ECDSA_SIGN,
                                  .flags = ECCEL_FLAG_RANDOM,
                                  .curve = eccel_curve_named("P-256"),
                                  .operands = 2,
                                  .operand = {{number, 32}, {number, 32}}};
}

static int submit(void)
{
    struct eccel_request job = request();
    atomic_fetch_add(&running, 1);
    int error = eccel_submit(handle, &job, done, NULL);
    if (error) {
        fprintf(stderr, "%s\n", eccel_result_name(error));
        exit(1);
    }
    return error;
}

static double now(clockid_t clock)
{
    struct timespec time;
    (void)clock_gettime(clock, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

int main(int count, char **arguments)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char uri[128];
    if (count != 3)
        return 2;
    unsigned jobs = (unsigned)atoi(arguments[2]);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/cost.sock", arguments[1]);
    (void)snprintf(uri, sizeof uri, "unix:%s", address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)unlink(address.sun_path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
        return 2;
    pid_t server = fork();
    if (!server)
        serve(listener);
    if (eccel_open(&handle, uri, NULL)) {
        fprintf(stderr, "%s\n", eccel_open_error());
        return 1;
    }
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    atomic_store(&left, jobs - IN_FLIGHT);
    for (int i = 0; i < IN_FLIGHT; i++)
        (void)submit();
    while (atomic_load(&running) || atomic_load(&left))
        usleep(1000);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = now(CLOCK_MONOTONIC) - wall;
    double alone = now(CLOCK_MONOTONIC);
    for (int i = 0; i < ONE_AT_A_TIME; i++) {
        struct eccel_request job = request();
        struct eccel_result result;
        if (eccel_run(handle, &job, &result))
            atomic_fetch_add(&wrong, 1);
    }
    alone = now(CLOCK_MONOTONIC) - alone;
    eccel_close(handle);
    (void)waitpid(server, NULL, 0);
    printf("{\"cpu_us\": %.2f, \"wall_us\": %.2f, \"alone_us\": %.2f, \"wrong\": %u}\n", cpu / jobs, wall / jobs,
           alone / ONE_AT_A_TIME, atomic_load(&wrong));
    return atomic_load(&wrong) != 0;
}
