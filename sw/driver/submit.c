/* Putting jobs into the mailbox of the I/O thread, and what a device does. See handle.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "handle.h"

/* 1 if a device is in service or has not been tried yet. */
static int usable(const struct eccel *handle, int target)
{
    for (unsigned i = 0; i < handle->core.devices; i++) {
        const struct device *device = handle->core.device[i];
        if ((target < 0 || (unsigned)target == i) &&
            (atomic_load(&device->in_service) || !atomic_load(&device->last_error)))
            return 1;
    }
    return 0;
}

int handle_submit(struct eccel *handle, const struct eccel_request *request, int target,
                  const atomic_int *cancelled, eccel_done *done, void *user)
{
    int error = handle_claim(handle);
    if (error)
        return error;
    if (!usable(handle, target))
        return ECCEL_ERROR_ABSENT;
    if (atomic_fetch_add(&handle->core.held, 1) >= handle->max_in_flight) {
        atomic_fetch_sub(&handle->core.held, 1);
        return ECCEL_ERROR_BUSY;
    }
    struct job *job = handle_job(&handle->core);
    if (!job) {
        atomic_fetch_sub(&handle->core.held, 1);
        return ECCEL_ERROR_MEMORY;
    }
    int words = packet_request(job->packet, request);
    if (words > 0) {
        job->words = (unsigned)words;
        job->done = done;
        job->user = user;
        job->cancelled = cancelled;
        job->curve = request->curve;
        job->op = request->op;
        job->flags = request->flags;
        job->options = request->options;
        job->target = target;
        job->result_bytes =
            request->curve ? packet_result_bytes(request->op, request->flags, request->curve) : 0;
        job->deadline = core_now() + handle->core.timeout;
    }
    int wake = 0;
    (void)pthread_mutex_lock(&handle->lock);
    if (words > 0 && handle->stop)
        words = ECCEL_ERROR_CANCELLED; /* a callback that submits while the handle is closed */
    if (words > 0 && !handle->running)
        words = (error = handle_run(handle)) ? error : words;
    if (words > 0) {
        job_append(&handle->incoming, job);
        wake = handle->sleeping;
        handle->sleeping = 0;
    } else {
        job->words = PACKET_LOAD_WORDS;
        job_wipe(job);
        job_return(&handle->store, job);
    }
    (void)pthread_mutex_unlock(&handle->lock);
    if (words <= 0) {
        atomic_fetch_sub(&handle->core.held, 1);
        return words;
    }
    if (wake)
        handle_wake(handle);
    return 0;
}

size_t eccel_device_count(const eccel *handle)
{
    return handle->core.devices;
}

int eccel_device(eccel *handle, size_t index, struct eccel_device_info *info)
{
    int error = handle_claim(handle);
    if (error)
        return error;
    if (index >= handle->core.devices)
        return ECCEL_ERROR_ARGUMENT;
    struct device *device = handle->core.device[index];
    (void)pthread_mutex_lock(&handle->lock);
    *info = device->info;
    (void)pthread_mutex_unlock(&handle->lock);
    info->in_service = atomic_load(&device->in_service);
    info->last_error = atomic_load(&device->last_error);
    info->in_flight = atomic_load(&device->in_flight_now);
    info->queued = atomic_load(&device->queued_now);
    info->jobs = atomic_load(&device->answered);
    info->failures = atomic_load(&device->failures);
    info->curve_loads = atomic_load(&device->loads);
    return 0;
}
