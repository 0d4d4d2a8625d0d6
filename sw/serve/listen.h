/* The sockets on which the server listens.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include "loop.h"
#include "options.h"

#include <stddef.h>

struct server;

struct listener {
    struct source source;
    struct server *server;
    const char *path; /* of a Unix socket that this process made, else NULL */
    int lock;         /* descriptor of its lock file, or -1 */
};

struct listeners {
    struct listener one[MAX_LISTEN];
    unsigned count;
    int accepting;
};

/* Opens the sockets of the command line and those that systemd hands over. `error` gets a sentence if it fails.
   Returns 0 or -1. A Unix socket has mode 0600; a socket that a dead server has left is replaced; a lock file beside
   it keeps a second server away. */
int listeners_open(struct listeners *listeners, struct server *server, char *error, size_t room);

/* Begins or stops to accept connections. */
void listeners_accept(struct listeners *listeners, int epoll, int accepting);

/* Closes the sockets and removes those of the file system. */
void listeners_close(struct listeners *listeners);

#endif
