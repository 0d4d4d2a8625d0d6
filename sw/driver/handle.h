/* The handle: mailbox, I/O thread, and what a child does after fork.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_HANDLE_H
#define ECCEL_HANDLE_H

#include <pthread.h>
#include <sys/types.h>

#include "core.h"

struct eccel {
    struct core core; /* of the I/O thread */
    pthread_mutex_t lock;
    /* Under the lock: */
    struct job_store store;
    struct job_list incoming;
    int sleeping, stop, running;
    pthread_t thread;
    int wake_fd;
    atomic_int notify_fd; /* of eccel_fd, or -1 */
    unsigned max_in_flight;
    /* From here on a child keeps what its parent had: its threads look at `mine` while one of them makes the rest. */
    struct eccel_options options;
    atomic_int *mine; /* 1 in the process that this belongs to; 0 in a new child */
    pid_t owner;      /* that process, on a kernel where a child has no empty memory; else 0 */
};

/* Locks, descriptors and times of a handle whose options are set. Returns 0 or an error. */
int handle_prepare(struct eccel *handle);

/* Gives a child of the process its own connections at its first call. Returns 0 or an error. */
int handle_claim(struct eccel *handle);

/* One turn of the I/O thread: waits until `due` at most, then works. Returns the time of the next turn. */
uint64_t handle_turn(struct eccel *handle, uint64_t due);

/* Submits a job for one device (target >= 0) or any. `cancelled` as in struct job. */
int handle_submit(struct eccel *handle, const struct eccel_request *request, int target,
                  const atomic_int *cancelled, eccel_done *done, void *user);

/* A job of the store, or NULL. */
struct job *handle_job(struct core *core);

/* Starts the I/O thread. The lock is held. Returns 0 or an error. */
int handle_run(struct eccel *handle);

/* Lets the I/O thread take a turn now. */
void handle_wake(struct eccel *handle);

/* Makes the devices of the URIs. Returns 0 or an error, and the reason in `why`. */
int handle_devices(struct eccel *handle, const char *uris, char *why, size_t room);

#endif
