/* A connection: frames in, frames out, and an engine of its own.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_CONNECTION_H
#define SERVE_CONNECTION_H

#include "frame.h"
#include "server.h"

enum {
    CURVE_IDS = 256,
    CONNECTION_JOBS = 2048,          /* that a connection has under way at most; then the server stops reading */
    CONNECTION_SHARE = 16,           /* that it may have under way, however many others there are */
    CONNECTION_OUT = 384 * 1024      /* bytes that wait to be sent: room for all answers */
};

struct connection {
    struct source source;
    struct server *server;
    struct connection *next, *before;
    struct connection *next_dirty, *next_stalled;
    uint64_t id;
    size_t in_flight;
    uint32_t epoch;       /* increases with each reset: answers to older jobs are dropped */
    int exclusive;        /* a job that changes keys is under way: the others wait */
    int has_held;         /* `held` was read and waits */
    int holds;            /* is counted in server->holding */
    int ended;            /* the peer sends no more */
    int dead;             /* to be freed */
    int dirty, stalled;   /* is in the list */
    struct frame held;
    struct curve *curve[CURVE_IDS];
    struct frame_reader reader;
    size_t out_begin, out_end;
    uint8_t out[CONNECTION_OUT];
};

/* Makes a connection of an accepted socket, which it owns from now on. */
void connection_new(struct server *server, int fd);

/* Takes up to `most` frames from the reader, for as long as they can be taken. */
void connection_run(struct connection *connection, size_t most);

/* One of its jobs is no longer under way. */
void connection_job_done(struct connection *connection);

/* Puts a frame into the buffer, to be sent at the end of this turn of the loop. */
void connection_send(struct connection *connection, enum frame_type type, const uint32_t *content, size_t words);

/* Ends it: nothing more is read or sent. It is freed when none of its jobs is under way. */
void connection_kill(struct connection *connection);

/* Sends what the connections have to send, and frees those that are dead. */
void connections_flush(struct server *server);

#endif
