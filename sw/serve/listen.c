/* The sockets on which the server listens. See listen.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "listen.h"

#include "connection.h"
#include "notify.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BACKLOG = 512, FIRST_PASSED = 3 };

/* Small frames leave at once, and a peer whose cable was pulled is noticed within a minute. */
static void set_up_tcp(int fd)
{
    const int on = 1, idle = 30, interval = 10, probes = 3;
    const unsigned unanswered_ms = 60000;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof unanswered_ms);
}

static void accept_one(struct source *source, uint32_t events)
{
    struct listener *listener = (struct listener *)source;
    struct server *server = listener->server;
    struct sockaddr_storage peer = {.ss_family = AF_UNSPEC};
    socklen_t length = sizeof peer;
    (void)events;
    int fd = accept4(source->fd, (struct sockaddr *)&peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
            LOG(&server->log, LEVEL_WARNING, "no_descriptors", NUMBER("connections", server->open_connections));
            if (server->open_connections) /* accepts again when one of these has ended */
                listeners_accept(&server->listeners, server->epoll, 0);
            else
                nanosleep(&(const struct timespec){.tv_nsec = 10000000}, NULL);
        }
        return;
    }
    if (peer.ss_family == AF_INET || peer.ss_family == AF_INET6)
        set_up_tcp(fd);
    connection_new(server, fd);
    if (server->open_connections >= server->options->max_connections)
        listeners_accept(&server->listeners, server->epoll, 0);
}

void listeners_accept(struct listeners *listeners, int epoll, int accepting)
{
    if (listeners->accepting == accepting)
        return;
    listeners->accepting = accepting;
    for (unsigned i = 0; i < listeners->count; i++) {
        if (accepting)
            loop_add(epoll, &listeners->one[i].source, EPOLLIN);
        else
            loop_remove(epoll, &listeners->one[i].source);
    }
}

static int fail(char *error, size_t room, const char *what, const char *where)
{
    snprintf(error, room, "%s: %s: %s", where, what, strerror(errno));
    return -1;
}

/* The lock that a server on this path holds. It stays when the server ends: removing it would let two servers lock
   two files of the same name. Returns the descriptor or -1. */
static int lock_path(const char *path, char *error, size_t room)
{
    char name[sizeof((struct sockaddr_un *)0)->sun_path + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0)
        return fail(error, room, "the lock file cannot be opened", name);
    if (flock(lock, LOCK_EX | LOCK_NB)) {
        if (errno == EWOULDBLOCK)
            snprintf(error, room, "%s: another server listens there", path);
        else
            fail(error, room, "the lock file cannot be locked", name);
        close(lock);
        return -1;
    }
    return lock;
}

/* Makes room for a socket on a path that the caller has locked. A socket there was left by a dead server. */
static int remove_socket(const char *path, char *error, size_t room)
{
    struct stat found;
    if (lstat(path, &found))
        return 0;
    if (!S_ISSOCK(found.st_mode)) {
        snprintf(error, room, "%s: exists and is not a socket; it is left alone", path);
        return -1;
    }
    unlink(path);
    return 0;
}

/* The socket gets its name after listen(), so that a client that sees it is never refused. */
static int open_unix(struct listener *listener, const char *path, char *error, size_t room)
{
    static const char suffix[] = ".new";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t limit = sizeof address.sun_path - sizeof suffix;
    if (!*path || strlen(path) > limit) {
        snprintf(error, room, "unix:%s: the path has to have 1 to %zu characters", path, limit);
        return -1;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "%s%s", path, suffix);
    if ((listener->lock = lock_path(path, error, room)) < 0 || remove_socket(path, error, room) ||
        remove_socket(address.sun_path, error, room))
        return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return fail(error, room, "no socket", path);
    mode_t mask = umask(0177);
    int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
    umask(mask);
    if (bound || listen(fd, BACKLOG) || rename(address.sun_path, path)) {
        fail(error, room, "cannot listen there", path);
        close(fd);
        return -1;
    }
    listener->path = path;
    return listener->source.fd = fd;
}

static int is_loopback(const struct sockaddr *address)
{
    static const uint8_t six[16] = {[15] = 1};
    if (address->sa_family == AF_INET)
        return (ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24) == 127;
    return !memcmp(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, six, sizeof six);
}

static int open_tcp(struct listener *listener, const char *place, int anywhere, char *error, size_t room)
{
    char host[256];
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    const char *colon = strrchr(place, ':');
    const int on = 1;
    if (!colon || colon == place || (size_t)(colon - place) >= sizeof host || !colon[1]) {
        snprintf(error, room, "tcp:%s: write tcp:HOST:PORT, such as tcp:127.0.0.1:7400", place);
        return -1;
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - place), place);
    if (host[0] == '[' && host[strlen(host) - 1] == ']') { /* an IPv6 address */
        host[strlen(host) - 1] = 0;
        memmove(host, host + 1, strlen(host));
    }
    int code = getaddrinfo(host, colon + 1, &hints, &found);
    if (code) {
        snprintf(error, room, "tcp:%s: %s", place, gai_strerror(code));
        return -1;
    }
    int fd = -1;
    if (!anywhere && !is_loopback(found->ai_addr)) {
        snprintf(error, room, "tcp:%s: other machines could use the engine, and the link is not encrypted; "
                 "if that is meant, add --anywhere", place);
    } else if ((fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) < 0 ||
               setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
               bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, BACKLOG)) {
        fail(error, room, "cannot listen there", place);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return listener->source.fd = fd;
}

/* The address that the system has chosen, for port 0. */
static void tell(struct server *server, const struct listener *listener, const char *uri)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    long long port = 0;
    if (!getsockname(listener->source.fd, (struct sockaddr *)&address, &length)) {
        if (address.ss_family == AF_INET)
            port = ntohs(((struct sockaddr_in *)(void *)&address)->sin_port);
        else if (address.ss_family == AF_INET6)
            port = ntohs(((struct sockaddr_in6 *)(void *)&address)->sin6_port);
    }
    if (port)
        LOG(&server->log, LEVEL_INFO, "listening", TEXT("uri", uri), NUMBER("port", port));
    else
        LOG(&server->log, LEVEL_INFO, "listening", TEXT("uri", uri));
}

int listeners_open(struct listeners *listeners, struct server *server, char *error, size_t room)
{
    const struct options *options = server->options;
    unsigned passed = notify_sockets();
    for (unsigned i = 0; i < passed && listeners->count < MAX_LISTEN; i++) {
        int fd = FIRST_PASSED + (int)i;
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        listeners->one[listeners->count++] =
            (struct listener){.source = {.fd = fd, .ready = accept_one}, .server = server, .lock = -1};
        LOG(&server->log, LEVEL_INFO, "listening", TEXT("uri", "systemd"), NUMBER("descriptor", fd));
    }
    for (unsigned i = 0; i < options->listens && listeners->count < MAX_LISTEN; i++) {
        const char *uri = options->listen[i];
        struct listener *listener = &listeners->one[listeners->count++];
        *listener = (struct listener){.source = {.fd = -1, .ready = accept_one}, .server = server, .lock = -1};
        int fd = -1;
        if (!strncmp(uri, "unix:", 5))
            fd = open_unix(listener, uri + 5, error, room);
        else if (!strncmp(uri, "tcp:", 4))
            fd = open_tcp(listener, uri + 4, options->anywhere, error, room);
        else
            snprintf(error, room, "%s: write unix:PATH or tcp:HOST:PORT", uri);
        if (fd < 0)
            return -1;
        tell(server, listener, uri);
    }
    if (!listeners->count)
        snprintf(error, room, "nothing to listen on: add --listen unix:PATH");
    return listeners->count ? 0 : -1;
}

void listeners_close(struct listeners *listeners)
{
    for (unsigned i = 0; i < listeners->count; i++) {
        struct listener *listener = &listeners->one[i];
        if (listener->path)
            unlink(listener->path);
        if (listener->source.fd >= 0)
            close(listener->source.fd);
        if (listener->lock >= 0)
            close(listener->lock);
    }
    listeners->count = 0;
}
