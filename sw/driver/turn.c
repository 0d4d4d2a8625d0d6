/* The I/O thread: mailbox to core, poll, links. See handle.h.
   SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "handle.h"
#include "secret.h"

/* Moves the mail to `mail` and gives finished jobs back to the store. */
static void exchange(struct eccel *handle, struct job_list *mail)
{
    struct core *core = &handle->core;
    (void)pthread_mutex_lock(&handle->lock);
    handle->sleeping = 0;
    *mail = handle->incoming;
    handle->incoming = (struct job_list){0};
    while (core->freed.head) {
        struct job *job = core->freed.head;
        job_remove(&core->freed, job);
        job_return(&handle->store, job);
    }
    (void)pthread_mutex_unlock(&handle->lock);
}

static int wait_time(uint64_t now, uint64_t due)
{
    if (due <= now)
        return 0;
    uint64_t ms = (due - now + 999) / 1000;
    return ms > 3600000 ? 3600000 : (int)ms;
}

uint64_t handle_turn(struct eccel *handle, uint64_t due)
{
    struct core *core = &handle->core;
    struct pollfd fds[CORE_DEVICES + 1] = {{.fd = handle->wake_fd, .events = POLLIN}};
    for (unsigned i = 0; i < core->devices; i++) {
        const struct device *device = core->device[i];
        int fd = device->state == DEVICE_DOWN ? -1 : device->link->fd;
        fds[i + 1] = (struct pollfd){.fd = fd, .events = fd < 0 ? 0 : device->link->ops->events(device->link)};
    }
    (void)pthread_mutex_lock(&handle->lock);
    if (handle->incoming.head || handle->stop)
        due = 0;
    else
        handle->sleeping = 1;
    (void)pthread_mutex_unlock(&handle->lock);
    int ready = poll(fds, core->devices + 1, wait_time(core_now(), due));
    uint64_t now = core_now(), count;
    if (ready > 0 && fds[0].revents)
        (void)!read(handle->wake_fd, &count, sizeof count);
    for (unsigned i = 0; i < core->devices; i++) {
        struct device *device = core->device[i];
        short events = ready > 0 ? fds[i + 1].revents : 0;
        if (device->state == DEVICE_DOWN || (!events && device->link->ops->due(device->link, now) > now))
            continue;
        device_check(device, device->link->ops->pump(device->link, events, now), now);
    }
    struct job_list mail;
    exchange(handle, &mail);
    while (mail.head) {
        struct job *job = mail.head;
        job_remove(&mail, job);
        core_accept(core, job, now);
    }
    due = core_work(core, now);
    secret_burn();
    return due;
}
