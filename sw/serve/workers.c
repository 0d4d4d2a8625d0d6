/* Threads that compute for the paced device. See workers.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "workers.h"

static void *work(void *argument)
{
    struct workers *workers = argument;
    BN_CTX *context = BN_CTX_secure_new();
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        struct chore *chore = workers->first;
        if (chore) {
            workers->first = chore->next;
            pthread_mutex_unlock(&workers->lock);
            chore->run(chore, context);
            pthread_mutex_lock(&workers->lock);
        } else if (workers->stop) {
            break;
        } else {
            pthread_mutex_unlock(&workers->lock);
            int busy = workers->idle && workers->idle(workers->context, context);
            pthread_mutex_lock(&workers->lock);
            if (!busy && !workers->first && !workers->stop)
                pthread_cond_wait(&workers->some, &workers->lock);
        }
    }
    pthread_mutex_unlock(&workers->lock);
    BN_CTX_free(context);
    return NULL;
}

int workers_open(struct workers *workers, unsigned count)
{
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->some, NULL);
    workers->started = 1;
    for (; workers->count < count && workers->count < WORKERS; workers->count++)
        if (pthread_create(&workers->thread[workers->count], NULL, work, workers))
            break;
    return workers->count ? 0 : -1;
}

void workers_close(struct workers *workers)
{
    if (!workers->started)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->stop = 1;
    pthread_cond_broadcast(&workers->some);
    pthread_mutex_unlock(&workers->lock);
    while (workers->count)
        pthread_join(workers->thread[--workers->count], NULL);
    pthread_cond_destroy(&workers->some);
    pthread_mutex_destroy(&workers->lock);
    workers->started = 0;
}

void workers_add(struct workers *workers, struct chore *chore)
{
    chore->next = NULL;
    pthread_mutex_lock(&workers->lock);
    if (workers->first)
        workers->last->next = chore;
    else
        workers->first = chore;
    workers->last = chore;
    pthread_cond_signal(&workers->some);
    pthread_mutex_unlock(&workers->lock);
}

void workers_wake(struct workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    pthread_cond_broadcast(&workers->some);
    pthread_mutex_unlock(&workers->lock);
}
