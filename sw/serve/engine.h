/* The engine that a connection sees: curve ids, tags, checks of packets, keys with owners.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_ENGINE_H
#define SERVE_ENGINE_H

#include "connection.h"

/* Takes a request packet. Returns 1 if it is done with it: it is under way or answered. Returns 0 if it has to wait:
   call again later with the same packet. */
int engine_request(struct connection *connection, const uint32_t *packet, size_t words);

/* Takes a job that is done: sends its answer, keeps the books, and frees the job. */
void engine_done(struct server *server, struct job *job);

/* Forgets curves, jobs and the key of the connection. */
void engine_reset(struct connection *connection);

/* The connection ends: its curves are given back, its key stays without an owner. */
void engine_end(struct connection *connection);

#endif
