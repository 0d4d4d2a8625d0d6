/* The event loop's sources. See loop.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "loop.h"

#include <errno.h>
#include <sys/epoll.h>
#include <time.h>

enum { EVENTS = 64 };

static int control(int epoll, int action, struct source *source, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = source};
    source->events = events;
    return epoll_ctl(epoll, action, source->fd, &event);
}

int loop_add(int epoll, struct source *source, uint32_t events)
{
    return control(epoll, EPOLL_CTL_ADD, source, events);
}

void loop_change(int epoll, struct source *source, uint32_t events)
{
    if (source->events != events)
        control(epoll, EPOLL_CTL_MOD, source, events);
}

void loop_remove(int epoll, struct source *source)
{
    control(epoll, EPOLL_CTL_DEL, source, 0);
}

int loop_wait(int epoll, int timeout_ms)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(epoll, events, EVENTS, timeout_ms);
    if (count < 0)
        return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        struct source *source = events[i].data.ptr;
        source->ready(source, events[i].events);
    }
    return 0;
}

uint64_t loop_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
