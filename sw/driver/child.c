/* After fork: the child's own connections. See handle.h.
   SPDX-License-Identifier: Apache-2.0

   The memory of jobs and buffers is empty in a child (secret.h), and so is the word that says whose the handle is. The
   child takes nothing from the core of the parent, whose threads may have been in the middle of anything: it makes
   everything anew. What it frees is whole at every moment: the table of devices and the list of lanes. */
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "handle.h"

enum { FRESH = 0, READY = 1, CLAIMING = 2 };

static int renew(struct eccel *handle)
{
    char uris[CORE_DEVICES][sizeof handle->core.device[0]->info.uri];
    char why[512];
    unsigned devices = handle->core.devices;
    for (unsigned i = 0; i < devices; i++) {
        struct device *device = handle->core.device[i];
        memcpy(uris[i], device->info.uri, sizeof uris[i]);
        device->link->ops->forget(device->link);
        free(device);
    }
    for (struct lane *lane = handle->core.lanes, *next; lane; lane = next) {
        next = lane->next;
        free(lane);
    }
    for (unsigned i = 0; i < handle->store.stores; i++)
        (void)munmap(handle->store.store[i], JOB_STORE_BYTES);
    (void)close(handle->wake_fd);
    int notify = atomic_load(&handle->notify_fd);
    if (notify >= 0)
        (void)close(notify);
    memset(handle, 0, offsetof(struct eccel, options));
    int error = handle_prepare(handle);
    for (unsigned i = 0; i < devices && !error; i++)
        error = handle_devices(handle, uris[i], why, sizeof why);
    for (unsigned i = 0; i < handle->core.devices; i++) {
        struct device *device = handle->core.device[i];
        if (!device->link->ops->survives_fork) {
            device->timer = NEVER;
            device->first = 0;
            atomic_store(&device->last_error, ECCEL_ERROR_FORKED);
        }
    }
    return error;
}

int handle_claim(struct eccel *handle)
{
    if (handle->owner && handle->owner != getpid()) { /* two threads of a child that come at once may both do this */
        handle->owner = getpid();
        atomic_store(handle->mine, FRESH);
    }
    int state = atomic_load_explicit(handle->mine, memory_order_acquire);
    if (state == READY)
        return 0;
    int expected = FRESH;
    if (atomic_compare_exchange_strong(handle->mine, &expected, CLAIMING)) {
        int error = renew(handle);
        atomic_store(handle->mine, error ? FRESH : READY);
        return error;
    }
    while (atomic_load(handle->mine) == CLAIMING)
        (void)sched_yield();
    return handle_claim(handle);
}
