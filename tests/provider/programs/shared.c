/* Wait contexts that are used in uncommon ways.
   SPDX-License-Identifier: Apache-2.0

       shared CONFIGURATION     prints "done"; ends with an assertion or by its alarm otherwise
   Two jobs in one wait context, whose completions come together; two instances of the provider in one wait context;
   a job that is resumed too early again and again; pauses that are blocked; a provider that is unloaded before the
   wait context. */
#include <openssl/async.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "usage.h"

struct work {
    OSSL_LIB_CTX *library;
    EVP_PKEY *key;
    int blocked;
};

static int sign(void *argument)
{
    const struct work *work = *(struct work **)argument;
    unsigned char hash[32] = {7}, signature[200];
    size_t length = sizeof signature;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(work->library, work->key, NULL);
    if (work->blocked)
        ASYNC_block_pause();
    int good = EVP_PKEY_sign_init(context) > 0 && EVP_PKEY_sign(context, signature, &length, hash, sizeof hash) > 0;
    if (work->blocked)
        ASYNC_unblock_pause();
    EVP_PKEY_CTX_free(context);
    return good;
}

static int run(ASYNC_JOB **job, ASYNC_WAIT_CTX *wait, struct work *work)
{
    int result = 0, state = ASYNC_start_job(job, wait, &result, sign, &work, sizeof work);
    REQUIRE(state == ASYNC_PAUSE || (state == ASYNC_FINISH && result == 1));
    return state;
}

/* Waits until a descriptor of the wait context is readable. */
static void wait_readable(ASYNC_WAIT_CTX *wait, size_t expected)
{
    OSSL_ASYNC_FD fd[4];
    size_t fds = 0;
    REQUIRE(ASYNC_WAIT_CTX_get_all_fds(wait, NULL, &fds) && fds == expected);
    REQUIRE(ASYNC_WAIT_CTX_get_all_fds(wait, fd, &fds));
    struct pollfd poller[4];
    for (size_t i = 0; i < fds; i++)
        poller[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
    REQUIRE(poll(poller, fds, 20000) > 0);
}

static struct work open_provider(const char *configuration)
{
    struct work work = {OSSL_LIB_CTX_new(), NULL, 0};
    REQUIRE(OSSL_LIB_CTX_load_config(work.library, configuration));
    work.key = EVP_PKEY_Q_keygen(work.library, NULL, "EC", "P-256");
    REQUIRE(work.key != NULL);
    REQUIRE(strcmp(OSSL_PROVIDER_get0_name(EVP_PKEY_get0_provider(work.key)), "eccel") == 0);
    return work;
}

static void close_provider(struct work *work)
{
    EVP_PKEY_free(work->key);
    OSSL_LIB_CTX_free(work->library);
}

static void two_jobs(struct work *first, struct work *second, size_t descriptors)
{
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    ASYNC_JOB *a = NULL, *b = NULL;
    REQUIRE(run(&a, wait, first) == ASYNC_PAUSE && run(&b, wait, second) == ASYNC_PAUSE);
    usleep(200000); /* now both are complete */
    int left = 2;
    while (left > 0) { /* an event loop: it looks at a job only when a descriptor is readable */
        wait_readable(wait, descriptors);
        if (a != NULL)
            left -= run(&a, wait, first) == ASYNC_FINISH;
        else if (b != NULL)
            left -= run(&b, wait, second) == ASYNC_FINISH;
    }
    ASYNC_WAIT_CTX_free(wait);
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2);
    alarm(60);
    int before = open_descriptors();
    struct work one = open_provider(arguments[1]), other = open_provider(arguments[1]);
    two_jobs(&one, &one, 1);
    two_jobs(&one, &other, 2);

    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    ASYNC_JOB *job = NULL;
    for (int i = 0; run(&job, wait, &one) == ASYNC_PAUSE; i++)
        REQUIRE(i < 10000); /* resumed too early: the provider waits a little in place of spinning */
    one.blocked = 1;
    REQUIRE(run(&job, wait, &one) == ASYNC_FINISH);

    close_provider(&one);
    close_provider(&other);
    ASYNC_WAIT_CTX_free(wait);
    ASYNC_cleanup_thread();
    REQUIRE(open_descriptors() == before);
    printf("done\n");
    return 0;
}
