/* Jobs of applications that pause instead of waiting (ASYNC_JOB, SSL_MODE_ASYNC).
   SPDX-License-Identifier: Apache-2.0

   A paused job may never be resumed: servers free a connection, and with it the wait context, while a device still
   works for it. So nothing that a completion touches belongs to the job. A completion touches a request of the pool
   below, and through it the descriptor of the wait context, which the pool forgets in the moment in which the wait
   context is freed. The paused function itself holds no reference either: it knows its request by place and
   generation, so that nothing is lost if it never runs again, and nothing is misread if it does.

   A wait context gets one descriptor (an eventfd), at its first job; it is closed with the wait context. */
#ifndef ECCEL_PROVIDER_ASYNC_H
#define ECCEL_PROVIDER_ASYNC_H

#include <eccel.h>
#include <openssl/async.h>
#include <stdbool.h>

struct counters;
struct pool;

struct async {
    struct pool *pool;
};

bool async_init(struct async *async, struct counters *counters);
/* After eccel_close, which has ended all jobs. Wait contexts may still exist. */
void async_cleanup(struct async *async);
/* In the child of a fork: all requests were the parent's. */
void async_forked(struct async *async);

enum { ASYNC_RUN_UNAVAILABLE = -100, ASYNC_RUN_ABANDONED = -101 };

/* Submits a job, and pauses `job`, which is the current one, until the result is there. Returns result->result or one
   of the above: UNAVAILABLE means that nothing was submitted, for want of a descriptor or memory, so that the caller
   waits in another way; ABANDONED that the wait context was freed meanwhile. */
int async_run(struct async *async, ASYNC_JOB *job, eccel *handle, const struct eccel_request *request,
              struct eccel_result *result);

#endif
