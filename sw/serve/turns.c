/* How connections share the queue of the devices. See turns.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "turns.h"

#include "packet.h"

/* The longest answer to a job, and room for the other frames. */
enum { ANSWER_BYTES = 4 * (PACKET_RESULT_WORDS + 2), OTHER_BYTES = 4 * (FRAME_CONTENT_WORDS + 2) };
_Static_assert(CONNECTION_OUT >= CONNECTION_JOBS * ANSWER_BYTES + OTHER_BYTES, "room for all answers");

enum { IN_TURN = 4 /* frames that a connection takes before others that wait */ };

int turns_room(const struct connection *connection)
{
    const struct server *server = connection->server;
    size_t waiting = connection->out_end - connection->out_begin, most = CONNECTION_JOBS;
    size_t active = server->active + server->holding;
    if (active > 1 && server->queue / active < most) {
        most = server->queue / active;
        most = most > CONNECTION_SHARE ? most : CONNECTION_SHARE;
    }
    return connection->in_flight < most &&
           CONNECTION_OUT - waiting >= (connection->in_flight + 1) * ANSWER_BYTES + OTHER_BYTES;
}

void turns_note(struct connection *connection)
{
    int holds = connection->has_held && !connection->in_flight;
    connection->server->holding += (size_t)holds - (size_t)connection->holds;
    connection->holds = holds;
}

void turns_wait(struct connection *connection)
{
    struct server *server = connection->server;
    if (connection->stalled)
        return;
    connection->stalled = 1;
    connection->next_stalled = NULL;
    *(server->stalled ? &server->last_stalled->next_stalled : &server->stalled) = connection;
    server->last_stalled = connection;
}

void turns_leave(struct connection *connection)
{
    struct server *server = connection->server;
    struct connection *before = NULL;
    for (struct connection *waiting = server->stalled; waiting; waiting = waiting->next_stalled) {
        if (waiting == connection) {
            *(before ? &before->next_stalled : &server->stalled) = connection->next_stalled;
            if (server->last_stalled == connection)
                server->last_stalled = before;
            break;
        }
        before = waiting;
    }
    turns_note(connection);
}

/* Gives each connection that waits one turn, until the queue is full. */
static void give_turns(struct server *server)
{
    struct connection *waiting = server->stalled, *last = server->last_stalled;
    server->stalled = NULL;
    server->full = 0;
    while (waiting && !server->full) {
        struct connection *next = waiting->next_stalled;
        waiting->stalled = 0;
        connection_run(waiting, IN_TURN);
        waiting = next;
    }
    if (waiting) { /* those that had no turn come before those that had one */
        last->next_stalled = server->stalled;
        if (!server->stalled)
            server->last_stalled = last;
        server->stalled = waiting;
    }
}

void turns_give(struct server *server)
{
    uint64_t before;
    do {
        before = server->taken;
        give_turns(server);
    } while (server->stalled && !server->full && server->taken != before);
}
