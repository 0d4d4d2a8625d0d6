/* The event loop of the server. See server.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "server.h"

#include "connection.h"
#include "gen/eccel_regs.h"
#include "engine.h"
#include "notify.h"
#include "slots.h"
#include "turns.h"

#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* What the server shows as CONFIG. A client may have 2^15 - 2 words of requests unanswered. */
#define SHOWN_CONFIG                                                                                                  \
    (UINT32_C(4) << ECCEL_CONFIG_DIGIT_BYTES_SHIFT | ECCEL_CONFIG_EXT_ENTROPY |                                       \
     UINT32_C(15) << ECCEL_CONFIG_FIFO_LOG2_SHIFT)

size_t server_status(struct server *server, int cleared, uint32_t *out)
{
    const struct backend *backend = server->backend;
    size_t length = strlen(backend->name), words = 4 + (length + 3) / 4;
    memset(out, 0, 4 * words);
    out[0] = ECCEL_ID_VALUE;
    out[1] = SHOWN_CONFIG | (uint32_t)backend->max_words << ECCEL_CONFIG_MAX_WORDS_SHIFT;
    out[2] = FRAME_STATUS_SERVER | (cleared ? FRAME_STATUS_CLEARED : 0) |
             (server->jobs.in_flight ? FRAME_STATUS_BUSY : 0) | (backend->paced ? FRAME_STATUS_PACED : 0) |
             (uint32_t)(server->totals.malformed & 0xffff) << 16;
    out[3] = (uint32_t)backend->clock_khz;
    for (size_t i = 0; i < length; i++)
        out[4 + i / 4] |= (uint32_t)(unsigned char)backend->name[i] << 8 * (i % 4);
    return words;
}

void server_counters(struct server *server, uint32_t *out)
{
    const struct totals *totals = &server->totals;
    struct load load = {0};
    server->backend->load(server->backend, &load);
    const uint64_t counters[COUNTERS] = {
        totals->jobs,      totals->failed,   totals->sign, totals->verify,     totals->ecdh,
        totals->key,       load.curve_loads, totals->other, load.clocks,       load.busy_clocks,
        server->open_connections, totals->connections, load.in_flight, load.queued, load.in_service,
        load.late,
    };
    out[0] = COUNTERS;
    for (size_t i = 0; i < COUNTERS; i++) {
        out[1 + 2 * i] = (uint32_t)counters[i];
        out[2 + 2 * i] = (uint32_t)(counters[i] >> 32);
    }
}

/* Takes the jobs that are done, and lets those continue that have waited for that. What these submit may be done at
   once. */
static void collect(struct server *server)
{
    struct job *job;
    while ((job = jobs_take(&server->jobs))) {
        while (job) {
            struct job *next = job->next;
            struct connection *connection = job->connection;
            engine_done(server, job);
            if (connection)
                connection_job_done(connection);
            job = next;
        }
        turns_give(server);
    }
}

static void signalled(struct source *source, uint32_t events)
{
    struct server *server = (struct server *)((char *)source - offsetof(struct server, signals));
    struct signalfd_siginfo info;
    (void)events;
    if (read(source->fd, &info, sizeof info) != sizeof info)
        return;
    server->stop++;
    LOG(&server->log, LEVEL_INFO, "signal", NUMBER("number", info.ssi_signo), NUMBER("in_flight", server->jobs.in_flight));
}

/* One turn of the loop. The timer of a paced device is set when nothing is left to do that may change it. */
static void turn(struct server *server, int timeout_ms)
{
    do {
        collect(server);
        connections_flush(server);
        if (server->backend->turn)
            server->backend->turn(server->backend);
    } while (atomic_load_explicit(&server->jobs.done, memory_order_relaxed));
    loop_wait(server->epoll, timeout_ms);
    collect(server);
    connections_flush(server);
}

/* Answers what is under way, for as long as `drain_ms` permits and no second signal comes. */
static void drain(struct server *server)
{
    uint64_t end = loop_now() + server->options->drain_ms * UINT64_C(1000000), now;
    listeners_accept(&server->listeners, server->epoll, 0);
    while (server->stop < 2 && (now = loop_now()) < end) {
        int waiting = server->jobs.in_flight != 0;
        for (struct connection *connection = server->connections; connection; connection = connection->next)
            waiting |= connection->out_end > connection->out_begin;
        if (!waiting)
            return;
        turn(server, (int)((end - now) / 1000000) + 1);
    }
    LOG(&server->log, LEVEL_WARNING, "not_drained", NUMBER("in_flight", server->jobs.in_flight));
}

/* Wipes the keys in the devices, for at most a second. */
static void wipe_keys(struct server *server)
{
    uint64_t end = loop_now() + UINT64_C(1000000000);
    for (unsigned i = 0; i < KEY_SLOTS; i++)
        if (server->slot[i].curve && !server->slot[i].changing)
            slots_release(server, i);
    while (server->jobs.in_flight && server->stop < 3 && loop_now() < end)
        turn(server, 50);
}

int server_run(struct server *server)
{
    server->signals.ready = signalled;
    struct source *sources[] = {&server->signals, &server->jobs.source, server->backend->sources[0],
                                server->backend->sources[1]};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i] && loop_add(server->epoll, sources[i], EPOLLIN)) {
            LOG(&server->log, LEVEL_ERROR, "epoll_failed", NUMBER("descriptor", sources[i]->fd));
            return 1;
        }
    listeners_accept(&server->listeners, server->epoll, 1);
    notify_ready();
    while (!server->stop)
        turn(server, -1);
    notify_stopping();
    drain(server);
    wipe_keys(server);
    for (struct connection *connection = server->connections; connection; connection = connection->next)
        connection_kill(connection);
    connections_flush(server);
    const struct totals *totals = &server->totals;
    LOG(&server->log, LEVEL_INFO, "stopped", NUMBER("jobs", totals->jobs), NUMBER("failed", totals->failed),
        NUMBER("connections", totals->connections), NUMBER("malformed", totals->malformed),
        NUMBER("unanswered", server->jobs.in_flight));
    return server->jobs.in_flight ? 1 : 0;
}
