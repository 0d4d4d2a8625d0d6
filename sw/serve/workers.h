/* Threads that compute for the paced device.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_WORKERS_H
#define SERVE_WORKERS_H

#include <openssl/bn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { WORKERS = 256 };

/* Something to compute. `run` is called in a thread of the workers. */
struct chore {
    struct chore *next;
    void (*run)(struct chore *chore, BN_CTX *context);
};

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t some;
    struct chore *first, *last;
    int (*idle)(void *context, BN_CTX *numbers); /* called when there is nothing to do; returns 1 if it did something */
    void *context;
    int stop, started;
    unsigned count;
    pthread_t thread[WORKERS];
};

/* Starts the threads; idle and context are set by the user. Returns 0 or -1. */
int workers_open(struct workers *workers, unsigned count);

/* Computes what is left, then ends the threads. */
void workers_close(struct workers *workers);

void workers_add(struct workers *workers, struct chore *chore);

/* There may be something for `idle` again. */
void workers_wake(struct workers *workers);

#endif
