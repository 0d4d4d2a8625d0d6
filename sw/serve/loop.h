/* The event loop's sources: a descriptor with a function.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_LOOP_H
#define SERVE_LOOP_H

#include <stdint.h>

struct source {
    int fd;
    uint32_t events; /* EPOLLIN, EPOLLOUT: what it waits for */
    void (*ready)(struct source *source, uint32_t events);
};

/* Adds a source, with its `fd` and `ready` set. Returns 0 or -1 with errno. */
int loop_add(int epoll, struct source *source, uint32_t events);

/* Waits for other events from now on. Does nothing if they are the same. */
void loop_change(int epoll, struct source *source, uint32_t events);

/* Forgets the source. The descriptor stays open. */
void loop_remove(int epoll, struct source *source);

/* Waits up to timeout_ms (-1: for ever) and calls the functions of all sources that are ready. Returns -1 with errno
   if it cannot wait. */
int loop_wait(int epoll, int timeout_ms);

/* Nanoseconds of the monotonic clock. */
uint64_t loop_now(void);

#endif
