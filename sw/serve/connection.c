/* A connection. See connection.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "connection.h"

#include "engine.h"
#include "memory.h"
#include "turns.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ALL = FRAME_READER_BYTES };

static void mark(struct connection *connection)
{
    struct server *server = connection->server;
    if (connection->dirty)
        return;
    connection->dirty = 1;
    connection->next_dirty = server->dirty;
    server->dirty = connection;
}

void connection_kill(struct connection *connection)
{
    if (connection->dead)
        return;
    connection->dead = 1;
    connection->has_held = 0;
    engine_end(connection);
    loop_remove(connection->server->epoll, &connection->source);
    mark(connection);
}

void connection_send(struct connection *connection, enum frame_type type, const uint32_t *content, size_t words)
{
    if (connection->dead)
        return;
    if (CONNECTION_OUT - connection->out_end < frame_bytes(words)) {
        memmove(connection->out, connection->out + connection->out_begin,
                connection->out_end - connection->out_begin);
        size_t end = connection->out_end;
        connection->out_end -= connection->out_begin;
        connection->out_begin = 0;
        eccel_wipe(connection->out + connection->out_end, end - connection->out_end);
    }
    /* turns_room has made sure that there is room. */
    connection->out_end += frame_write(connection->out + connection->out_end, type, content, words);
    mark(connection);
}

/* What to wait for. A connection that cannot take a frame is not read: its client notices. */
static void listen_for(struct connection *connection)
{
    uint32_t events = 0;
    if (!connection->ended && !connection->has_held && turns_room(connection) && !connection->server->stop)
        events |= EPOLLIN;
    if (connection->out_end > connection->out_begin)
        events |= EPOLLOUT;
    loop_change(connection->server->epoll, &connection->source, events);
}

static void malformed(struct connection *connection, enum frame_error_word reason)
{
    const uint32_t word = reason;
    struct server *server = connection->server;
    server->totals.malformed++;
    LOG(&server->log, LEVEL_WARNING, "malformed_frame", NUMBER("connection", connection->id), NUMBER("error", reason));
    connection_send(connection, FRAME_ERROR, &word, 1);
    /* A slow reader does not get this frame, only the end of the connection. */
    ssize_t sent = send(connection->source.fd, connection->out + connection->out_begin,
                        connection->out_end - connection->out_begin, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)sent;
    connection_kill(connection);
}

/* Takes one frame. Returns 0 if it has to wait. */
static int take(struct connection *connection, const struct frame *frame)
{
    uint32_t words[SHORT_WORDS];
    struct server *server = connection->server;
    switch (frame->type) {
    case FRAME_REQUEST:
        if (!frame->words)
            break;
        if (!engine_request(connection, frame->content, frame->words))
            return 0;
        eccel_wipe((uint32_t *)(uintptr_t)frame->content, 4 * frame->words);
        return 1;
    case FRAME_HELLO:
        connection_send(connection, FRAME_STATUS, words, server_status(server, 0, words));
        return 1;
    case FRAME_COUNTERS:
        if (frame->words)
            break;
        server_counters(server, words);
        connection_send(connection, FRAME_COUNTERS, words, COUNTERS_WORDS);
        return 1;
    case FRAME_ENTROPY: /* the devices have their own */
        return 1;
    case FRAME_CONTROL:
        if (frame->words != 1 ||
            (frame->content[0] != FRAME_CONTROL_RESET && frame->content[0] != FRAME_CONTROL_ZEROISE))
            break;
        engine_reset(connection);
        connection_send(connection, FRAME_STATUS, words, server_status(server, 1, words));
        return 1;
    default: /* these come from devices only */
        break;
    }
    malformed(connection, FRAME_ERROR_MALFORMED);
    return 1;
}

void connection_run(struct connection *connection, size_t most)
{
    struct server *server = connection->server;
    while (!connection->dead && !server->stop) {
        if (!connection->has_held) {
            if (!turns_room(connection))
                break;
            if (!most--) {
                turns_wait(connection); /* it goes on after the others that wait */
                break;
            }
            enum frame_found found = frame_reader_next(&connection->reader, &connection->held);
            if (found == FRAME_NONE)
                break;
            if (found != FRAME_WHOLE) {
                malformed(connection, found == FRAME_BAD_CRC    ? FRAME_ERROR_CRC
                                      : found == FRAME_TOO_LONG ? FRAME_ERROR_LONG
                                                                : FRAME_ERROR_MALFORMED);
                return;
            }
        }
        connection->has_held = !take(connection, &connection->held);
        server->taken += !connection->has_held;
        if (connection->has_held) {
            turns_wait(connection);
            break;
        }
    }
    turns_note(connection);
    if (!connection->dead)
        mark(connection); /* what it waits for may have changed, and it may be at its end */
}

static void receive(struct connection *connection)
{
    size_t room, end = connection->reader.end;
    uint8_t *space = frame_reader_space(&connection->reader, &room);
    if (end > connection->reader.end) /* bytes have moved: nothing of a request stays behind */
        eccel_wipe(space, end - connection->reader.end);
    ssize_t got = recv(connection->source.fd, space, room, 0);
    if (got > 0) {
        frame_reader_added(&connection->reader, (size_t)got);
        connection_run(connection, ALL);
    } else if (got == 0) {
        connection->ended = 1;
        connection_run(connection, ALL);
    } else if (errno != EAGAIN && errno != EINTR) {
        connection_kill(connection);
    }
}

static void ready(struct source *source, uint32_t events)
{
    struct connection *connection = (struct connection *)source;
    if (connection->dead)
        return;
    if (events & EPOLLIN)
        receive(connection);
    else if (events & (EPOLLERR | EPOLLHUP))
        connection_kill(connection);
    else if (events & EPOLLOUT)
        mark(connection);
}

/* Sends what is there. Bytes that were sent are overwritten. */
static void transmit(struct connection *connection)
{
    while (connection->out_end > connection->out_begin) {
        uint8_t *bytes = connection->out + connection->out_begin;
        ssize_t sent = send(connection->source.fd, bytes, connection->out_end - connection->out_begin, MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno != EAGAIN && errno != EINTR)
                connection_kill(connection);
            return;
        }
        eccel_wipe(bytes, (size_t)sent);
        connection->out_begin += (size_t)sent;
    }
    connection->out_begin = connection->out_end = 0;
}

static void destroy(struct connection *connection)
{
    struct server *server = connection->server;
    if (connection->before)
        connection->before->next = connection->next;
    else
        server->connections = connection->next;
    if (connection->next)
        connection->next->before = connection->before;
    turns_leave(connection);
    LOG(&server->log, LEVEL_DEBUG, "closed", NUMBER("connection", connection->id));
    close(connection->source.fd);
    memory_give(connection, sizeof *connection);
    server->open_connections--;
    listeners_accept(&server->listeners, server->epoll, !server->stop);
}

void connections_flush(struct server *server)
{
    while (server->dirty) {
        struct connection *connection = server->dirty;
        server->dirty = connection->next_dirty;
        connection->dirty = 0;
        if (!connection->dead)
            transmit(connection);
        if (!connection->dead && connection->ended && !connection->in_flight && !connection->has_held &&
            connection->out_end == connection->out_begin)
            connection_kill(connection); /* the peer has its answers */
        if (!connection->dead)
            listen_for(connection);
        else if (!connection->in_flight) {
            if (!connection->dirty)
                destroy(connection);
            /* otherwise connection_kill has put it into the list again */
        }
    }
}

void connection_job_done(struct connection *connection)
{
    if (connection->dead)
        mark(connection); /* it may have been the last one */
    else if (connection->server->stalled)
        turns_wait(connection); /* after those that have waited longer */
    else
        connection_run(connection, ALL);
}

void connection_new(struct server *server, int fd)
{
    struct connection *connection = memory_take(sizeof *connection);
    if (!connection) {
        close(fd);
        return;
    }
    connection->source = (struct source){.fd = fd, .ready = ready};
    connection->server = server;
    connection->id = ++server->next_id;
    if (loop_add(server->epoll, &connection->source, EPOLLIN)) {
        close(fd);
        memory_give(connection, sizeof *connection);
        return;
    }
    connection->next = server->connections;
    if (server->connections)
        server->connections->before = connection;
    server->connections = connection;
    server->open_connections++;
    server->totals.connections++;
    LOG(&server->log, LEVEL_DEBUG, "opened", NUMBER("connection", connection->id));
}
