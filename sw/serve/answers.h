/* Answers of the engine that a connection sees: packets, statuses, and the books.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_ANSWERS_H
#define SERVE_ANSWERS_H

#include "connection.h"

/* Sends the answer to the request whose word 0 is `head`. result: NULL if there is none; words: W. */
void answers_send(struct connection *connection, uint32_t head, int status, const struct eccel_result *result,
                  unsigned words);

/* The status for the packet of a job that is done. While a key keeps its curve in a device, no device may be left for
   another curve: its jobs are refused until the key is gone. */
int answers_status(const struct server *server, const struct job *job);

/* Counts an answer by its operation. */
void answers_count(struct totals *totals, unsigned op, int failed);

#endif
