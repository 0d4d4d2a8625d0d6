/* The handler that runs in children.
   SPDX-License-Identifier: Apache-2.0

   There is no handler before the fork, so that fork never waits for a lock of this provider: other providers have
   deadlocked in such handlers, because a thread forked while it held the lock. A child makes its locks anew instead; it
   has only the thread that called fork, and that thread holds none of them. The list below is the only static state of
   the provider, because handlers get no argument. */
#include "fork.h"

#include <pthread.h>

#include "provider.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct provider *providers;
static bool registered;

static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    for (struct provider *provider = providers; provider != NULL; provider = provider->next) {
        async_forked(&provider->async);
        engine_forked(&provider->engine);
    }
}

bool fork_remember(struct provider *provider)
{
    pthread_mutex_lock(&lock);
    if (!registered)
        registered = pthread_atfork(NULL, NULL, in_child) == 0;
    bool done = registered;
    if (done) {
        provider->next = providers;
        providers = provider;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

void fork_forget(struct provider *provider)
{
    pthread_mutex_lock(&lock);
    for (struct provider **place = &providers; *place != NULL; place = &(*place)->next)
        if (*place == provider) {
            *place = provider->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}
