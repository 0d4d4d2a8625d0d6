/* How connections share the queue of the devices: whoever waits for room gets it in turn, and none has more than its part
   of the queue.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_TURNS_H
#define SERVE_TURNS_H

#include "connection.h"

/* 1 if the connection may have one more frame taken: its part of the queue is not used up, and there is room for the
   answer and for those of all its jobs under way. */
int turns_room(const struct connection *connection);

/* Puts a connection at the end of those that wait for room in the queue, or for the end of other jobs. */
void turns_wait(struct connection *connection);

/* To be called after frames were taken: counts connections that have no job under way only for want of room. */
void turns_note(struct connection *connection);

/* The connection does not wait any more. */
void turns_leave(struct connection *connection);

/* Lets those that wait try again in turn, for as long as any of them gets further. */
void turns_give(struct server *server);

#endif
