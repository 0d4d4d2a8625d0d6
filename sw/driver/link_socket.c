/* Links to a server: frames over a Unix or TCP socket.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "eccel.h"
#include "frame.h"
#include "link.h"
#include "secret.h"

enum {
    OUT_BYTES = 1 << 17,
    ADDRESSES = 8,           /* of one name */
    SILENCE = 10000 /* milliseconds after which TCP gives up what was not acknowledged */
};

struct buffers {
    struct frame_reader reader;
    uint8_t out[OUT_BYTES];
};

struct socket_link {
    struct link link;
    int connecting;
    size_t begin, end; /* bytes of out that are not yet sent */
    struct buffers *buffers;
    struct sockaddr_storage address[ADDRESSES];
    socklen_t length[ADDRESSES];
    unsigned addresses, next; /* the one that is tried next */
    char host[256], port[16];
};

static int failed(struct socket_link *link, const char *what)
{
    (void)snprintf(link->link.why, sizeof link->link.why, "%s: %s", what, strerror(errno));
    return ECCEL_ERROR_LINK;
}

static struct socket_link *make(const struct link_ops *ops, char *why, size_t room)
{
    struct socket_link *link = calloc(1, sizeof *link);
    struct buffers *buffers = secret_alloc(sizeof *buffers);
    if (!link || !buffers) {
        secret_free(buffers, sizeof *buffers);
        free(link);
        (void)snprintf(why, room, "not enough memory");
        return NULL;
    }
    link->link.ops = ops;
    link->link.fd = -1;
    link->buffers = buffers;
    return link;
}

static struct link *create_unix(const char *path, char *why, size_t room)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof address.sun_path) {
        (void)snprintf(why, room, "unix:%s: the path of a socket has 1 to %zu bytes", path, sizeof address.sun_path - 1);
        return NULL;
    }
    struct socket_link *link = make(&link_unix, why, room);
    if (!link)
        return NULL;
    memcpy(address.sun_path, path, strlen(path) + 1);
    memcpy(&link->address[0], &address, sizeof address);
    link->length[0] = sizeof address;
    link->addresses = 1;
    return &link->link;
}

/* Looks the name up. This may take long: it is done when the link is made, and later only if it has failed. */
static void look_up(struct socket_link *link)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    int error = getaddrinfo(link->host, link->port, &hints, &found);
    if (error) {
        (void)snprintf(link->link.why, sizeof link->link.why, "%s: %s", link->host, gai_strerror(error));
        return;
    }
    for (const struct addrinfo *each = found; each && link->addresses < ADDRESSES; each = each->ai_next) {
        memcpy(&link->address[link->addresses], each->ai_addr, each->ai_addrlen);
        link->length[link->addresses++] = each->ai_addrlen;
    }
    freeaddrinfo(found);
}

static struct link *create_tcp(const char *place, char *why, size_t room)
{
    const char *colon = strrchr(place, ':');
    size_t host = colon ? (size_t)(colon - place) : 0;
    int bracket = host >= 2 && place[0] == '[' && place[host - 1] == ']'; /* an IPv6 address */
    struct socket_link *link = make(&link_tcp, why, room);
    if (!link)
        return NULL;
    if (!host || host - 2 * (size_t)bracket >= sizeof link->host || !colon[1] ||
        strlen(colon + 1) >= sizeof link->port) {
        (void)snprintf(why, room, "tcp:%s: give host and port, as in tcp:127.0.0.1:7001", place);
        link_tcp.destroy(&link->link);
        return NULL;
    }
    memcpy(link->host, place + bracket, host - 2 * (size_t)bracket);
    memcpy(link->port, colon + 1, strlen(colon + 1));
    look_up(link);
    return &link->link;
}

static void put(struct socket_link *link, enum frame_type type, const uint32_t *content, size_t words)
{
    link->end += frame_write(link->buffers->out + link->end, type, content, words);
}

/* Begins to connect to the next address that does not refuse at once. */
static int dial(struct socket_link *link)
{
    struct link *base = &link->link;
    while (link->next < link->addresses) {
        const struct sockaddr *address = (const struct sockaddr *)&link->address[link->next];
        socklen_t length = link->length[link->next++];
        base->fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (base->fd < 0)
            return failed(link, "socket");
        if (base->ops == &link_tcp) {
            int on = 1, silence = SILENCE;
            (void)setsockopt(base->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            (void)setsockopt(base->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
            (void)setsockopt(base->fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        }
        /* EAGAIN is a Unix socket whose queue is full: try again later. */
        link->connecting = connect(base->fd, address, length) != 0;
        if (!link->connecting || errno == EINPROGRESS)
            return 0;
        (void)failed(link, "connect");
        (void)close(base->fd);
        base->fd = -1;
        link->connecting = 0;
    }
    return ECCEL_ERROR_LINK;
}

static int start(struct link *base, uint64_t now)
{
    struct socket_link *link = (struct socket_link *)base;
    (void)now;
    if (!link->addresses)
        look_up(link);
    link->begin = link->end = 0;
    put(link, FRAME_HELLO, NULL, 0);
    link->next = 0;
    return dial(link);
}

static size_t room(const struct link *base)
{
    const struct socket_link *link = (const struct socket_link *)base;
    size_t bytes = OUT_BYTES - link->end;
    return bytes < frame_bytes(0) ? 0 : bytes / 4 - 2;
}

static void send_packet(struct link *base, const uint32_t *packet, size_t words, uint64_t now)
{
    (void)now;
    put((struct socket_link *)base, FRAME_REQUEST, packet, words);
}

static int flush(struct link *base, uint64_t now)
{
    struct socket_link *link = (struct socket_link *)base;
    (void)now;
    if (link->begin == link->end || link->connecting)
        return 0;
    ssize_t sent = send(base->fd, link->buffers->out + link->begin, link->end - link->begin, MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : failed(link, "send");
    eccel_wipe(link->buffers->out + link->begin, (size_t)sent);
    link->begin += (size_t)sent;
    if (link->begin == link->end) {
        link->begin = link->end = 0;
    } else if (link->begin > OUT_BYTES / 2) {
        memmove(link->buffers->out, link->buffers->out + link->begin, link->end - link->begin);
        eccel_wipe(link->buffers->out + link->end - link->begin, link->begin);
        link->end -= link->begin;
        link->begin = 0;
    }
    return 0;
}

static short events(const struct link *base)
{
    const struct socket_link *link = (const struct socket_link *)base;
    return (short)(POLLIN | (link->connecting || link->begin != link->end ? POLLOUT : 0));
}

static uint64_t due(const struct link *base, uint64_t now)
{
    (void)base;
    (void)now;
    return UINT64_MAX;
}

static int take(struct socket_link *link, const struct frame *frame, uint64_t now)
{
    switch (frame->type) {
    case FRAME_RESPONSE:
        return device_response(link->link.device, frame->content, frame->words, 0, now);
    case FRAME_STATUS:
        return device_status(link->link.device, frame->content, frame->words, now);
    default: /* ERROR: the server has met a malformed frame; the others are not for a host that did not ask */
        (void)snprintf(link->link.why, sizeof link->link.why, "the server sent a frame of type %d", (int)frame->type);
        return ECCEL_ERROR_LINK;
    }
}

static int pump(struct link *base, short happened, uint64_t now)
{
    struct socket_link *link = (struct socket_link *)base;
    struct frame frame;
    if (link->connecting) {
        int error = 0;
        socklen_t length = sizeof error;
        if (!(happened & (POLLOUT | POLLERR | POLLHUP)))
            return 0;
        if (getsockopt(base->fd, SOL_SOCKET, SO_ERROR, &error, &length) || error) {
            errno = error;
            (void)failed(link, "connect");
            (void)close(base->fd);
            base->fd = -1;
            return dial(link);
        }
        link->connecting = 0;
    }
    if (!(happened & (POLLIN | POLLHUP | POLLERR)))
        return 0;
    size_t space;
    uint8_t *at = frame_reader_space(&link->buffers->reader, &space);
    ssize_t got = recv(base->fd, at, space, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : failed(link, "receive");
    if (got == 0) {
        (void)snprintf(base->why, sizeof base->why, "the server closed the connection");
        return ECCEL_ERROR_LINK;
    }
    frame_reader_added(&link->buffers->reader, (size_t)got);
    enum frame_found found;
    while ((found = frame_reader_next(&link->buffers->reader, &frame)) == FRAME_WHOLE) {
        int error = take(link, &frame, now);
        if (error)
            return error;
    }
    if (found != FRAME_NONE) {
        (void)snprintf(base->why, sizeof base->why, "the server sent a malformed frame (%d)", (int)found);
        return ECCEL_ERROR_LINK;
    }
    frame_reader_wipe(&link->buffers->reader);
    return 0;
}

static void stop(struct link *base)
{
    struct socket_link *link = (struct socket_link *)base;
    if (base->fd >= 0)
        (void)close(base->fd);
    base->fd = -1;
    link->connecting = 0;
    link->begin = link->end = 0;
    eccel_wipe(link->buffers, sizeof *link->buffers);
}

static void destroy(struct link *base)
{
    struct socket_link *link = (struct socket_link *)base;
    stop(base);
    secret_free(link->buffers, sizeof *link->buffers);
    free(link);
}

const struct link_ops link_unix = {
    .scheme = "unix",
    .survives_fork = 1,
    .create = create_unix,
    .start = start,
    .room = room,
    .send = send_packet,
    .flush = flush,
    .events = events,
    .due = due,
    .pump = pump,
    .stop = stop,
    .destroy = destroy,
    .forget = destroy,
};
const struct link_ops link_tcp = {
    .scheme = "tcp",
    .survives_fork = 1,
    .create = create_tcp,
    .start = start,
    .room = room,
    .send = send_packet,
    .flush = flush,
    .events = events,
    .due = due,
    .pump = pump,
    .stop = stop,
    .destroy = destroy,
    .forget = destroy,
};
