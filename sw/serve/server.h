/* The server: what its parts share.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "backend.h"
#include "listen.h"
#include "log.h"
#include "options.h"

enum { KEY_SLOTS = 16 };

/* A key in a device. `curve` is NULL if there is none. */
struct slot {
    struct curve *curve;
    struct connection *owner; /* NULL: its connection has ended, and every connection may use the key */
    int changing;             /* a job that sets or wipes the key is under way */
};

struct totals {
    uint64_t jobs, failed, sign, verify, ecdh, key, other, connections, malformed;
};

struct server {
    const struct options *options;
    struct log log;
    int epoll;
    struct backend *backend;
    struct jobs jobs;
    struct curves curves;
    struct slot slot[KEY_SLOTS];
    struct listeners listeners;
    struct source signals;
    struct connection *connections; /* first of a list */
    struct connection *dirty;       /* have bytes to send, or are to be freed */
    struct connection *stalled, *last_stalled; /* wait for room in the queue of the device, first come first */
    int full;                       /* the device has refused a job for want of room */
    uint64_t taken;                 /* frames so far */
    size_t active, holding;         /* connections with jobs under way; without, as there is no room for one */
    size_t queue;                   /* jobs that may be with the device */
    size_t open_connections;
    uint64_t next_id;
    struct totals totals;
    int stop; /* signals so far */
};

/* Serves until a signal. Returns the exit code. */
int server_run(struct server *server);

/* The content of a STATUS frame into `out`; returns the number of words. cleared: bit 1. */
enum { STATUS_WORDS = 4 + 16, SHORT_WORDS = 64 /* more than either of these two has */ };
size_t server_status(struct server *server, int cleared, uint32_t *out);

/* The content of a COUNTERS frame. */
enum { COUNTERS = 16, COUNTERS_WORDS = 1 + 2 * COUNTERS };
void server_counters(struct server *server, uint32_t *out);

#endif
