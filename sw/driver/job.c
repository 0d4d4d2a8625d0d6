/* Jobs, their lists and their store. See job.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include <stddef.h>
#include <string.h>

#include "secret.h"

void job_append(struct job_list *list, struct job *job)
{
    job->next = NULL;
    job->previous = list->tail;
    *(list->tail ? &list->tail->next : &list->head) = job;
    list->tail = job;
    list->count++;
}

void job_prepend(struct job_list *list, struct job *job)
{
    job->previous = NULL;
    job->next = list->head;
    *(list->head ? &list->head->previous : &list->tail) = job;
    list->head = job;
    list->count++;
}

void job_remove(struct job_list *list, struct job *job)
{
    *(job->previous ? &job->previous->next : &list->head) = job->next;
    *(job->next ? &job->next->previous : &list->tail) = job->previous;
    job->next = job->previous = NULL;
    list->count--;
}

struct job *job_take(struct job_store *store)
{
    if (!store->free) {
        struct job *jobs;
        if (store->stores == JOB_STORES || !(jobs = secret_alloc(JOB_STORE_BYTES)))
            return NULL;
        store->store[store->stores++] = jobs;
        for (size_t i = 0; i < JOB_STORE_BYTES / sizeof *jobs; i++)
            job_return(store, &jobs[i]);
    }
    struct job *job = store->free;
    store->free = job->next;
    memset(job, 0, offsetof(struct job, packet));
    return job;
}

void job_wipe(struct job *job)
{
    eccel_wipe(job->packet, job->words * sizeof *job->packet);
}

void job_return(struct job_store *store, struct job *job)
{
    job->next = store->free;
    store->free = job;
}

void job_store_free(struct job_store *store)
{
    for (unsigned i = 0; i < store->stores; i++)
        secret_free(store->store[i], JOB_STORE_BYTES);
    *store = (struct job_store){0};
}
