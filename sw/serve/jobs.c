/* Jobs under way. See jobs.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "jobs.h"

#include "memory.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16 };

/* Blocks are linked, so that they can be freed. The jobs follow the link. */
struct block {
    struct block *next;
};

static void drain(struct source *source, uint32_t events)
{
    uint64_t count;
    (void)events;
    ssize_t got = read(source->fd, &count, sizeof count);
    (void)got; /* the jobs are taken from the list in every turn of the loop */
}

int jobs_open(struct jobs *jobs)
{
    *jobs = (struct jobs){.source = {.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .ready = drain}};
    return jobs->source.fd < 0 ? -1 : 0;
}

void jobs_close(struct jobs *jobs)
{
    while (jobs->blocks) {
        struct block *block = jobs->blocks;
        jobs->blocks = block->next;
        memory_give(block, BLOCK_BYTES);
    }
    if (jobs->source.fd >= 0)
        close(jobs->source.fd);
    *jobs = (struct jobs){.source.fd = -1};
}

static int grow(struct jobs *jobs)
{
    struct block *block = memory_take(BLOCK_BYTES);
    if (!block)
        return -1;
    block->next = jobs->blocks;
    jobs->blocks = block;
    struct job *first = (struct job *)((char *)block + 64);
    for (size_t i = 0; i < (BLOCK_BYTES - 64) / sizeof *first; i++) {
        first[i].next = jobs->idle;
        jobs->idle = &first[i];
    }
    return 0;
}

struct job *job_new(struct jobs *jobs)
{
    if (!jobs->idle && grow(jobs))
        return NULL;
    struct job *job = jobs->idle;
    jobs->idle = job->next;
    jobs->in_flight++;
    job->next = NULL;
    job->jobs = jobs;
    return job;
}

void job_free(struct job *job)
{
    struct jobs *jobs = job->jobs;
    eccel_wipe(job, sizeof *job);
    job->next = jobs->idle;
    jobs->idle = job;
    jobs->in_flight--;
}

/* Returns 1 if the list was empty. */
static int push(struct jobs *jobs, struct job *job)
{
    struct job *head = atomic_load_explicit(&jobs->done, memory_order_relaxed);
    do
        job->next = head;
    while (!atomic_compare_exchange_weak_explicit(&jobs->done, &head, job, memory_order_release,
                                                  memory_order_relaxed));
    return !head;
}

void job_done(struct job *job)
{
    struct jobs *jobs = job->jobs;
    if (push(jobs, job)) { /* whoever makes the list non-empty wakes the loop */
        const uint64_t one = 1;
        ssize_t put = write(jobs->source.fd, &one, sizeof one);
        (void)put; /* fails only if the counter is full: then the loop is awake */
    }
}

void job_done_here(struct job *job)
{
    push(job->jobs, job);
}

struct job *jobs_take(struct jobs *jobs)
{
    struct job *newest = atomic_exchange_explicit(&jobs->done, NULL, memory_order_acquire), *oldest = NULL;
    while (newest) {
        struct job *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}
