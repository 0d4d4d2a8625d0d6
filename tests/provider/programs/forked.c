/* fork while other threads use the provider: parent and children go on working.
   SPDX-License-Identifier: Apache-2.0

       forked CHILDREN THREADS     prints the number of children that signed and verified, and of signatures in threads
   A thread that holds a lock in the moment of the fork does not exist in the child: a provider that takes that lock
   there hangs, and the alarm ends it.

   OpenSSL does not make its own locks anew in a child. The program forks only when no thread can hold one that a child
   needs: each thread has been through everything once before, and the stub computes nothing during a fork. With a
   provider that computes in these threads, as OpenSSL's own does, children do hang. */
#include <openssl/async.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "usage.h"

static EVP_PKEY *key;
static atomic_int stop, signatures, ready;

static int sign_and_verify(void)
{
    unsigned char hash[32] = {1}, signature[200];
    size_t length = sizeof signature;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    int good = EVP_PKEY_sign_init(context) > 0 && EVP_PKEY_sign(context, signature, &length, hash, sizeof hash) > 0 &&
               EVP_PKEY_verify_init(context) > 0 && EVP_PKEY_verify(context, signature, length, hash, sizeof hash) == 1;
    EVP_PKEY_CTX_free(context);
    return good;
}

static int as_job(void *unused)
{
    (void)unused;
    return sign_and_verify();
}

/* The same in a job that pauses, to take the locks of the asynchronous part. */
static int sign_in_job(void)
{
    ASYNC_JOB *job = NULL;
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    int result = 0, state;
    while ((state = ASYNC_start_job(&job, wait, &result, as_job, NULL, 0)) == ASYNC_PAUSE)
        usleep(100);
    ASYNC_WAIT_CTX_free(wait);
    return state == ASYNC_FINISH && result == 1;
}

static void *work(void *unused)
{
    (void)unused;
    signatures += sign_and_verify() + sign_in_job(); /* OpenSSL enters the thread into its lists, under its locks */
    ready++;
    while (!stop)
        signatures += sign_and_verify() + sign_in_job();
    return NULL;
}

int main(int count, char **arguments)
{
    REQUIRE(count == 3);
    int children = atoi(arguments[1]), threads = atoi(arguments[2]), good = 0;
    pthread_t thread[32];
    REQUIRE(threads <= 32);
    key = EVP_EC_gen("P-256");
    REQUIRE(key != NULL && sign_and_verify());
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    while (ready < threads)
        usleep(100);
    for (int i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            int failed = !(sign_and_verify() && sign_in_job() && sign_and_verify());
            if (i % 2)
                exit(failed); /* unloads the provider in the child as well */
            _exit(failed);
        }
        int status;
        REQUIRE(waitpid(child, &status, 0) == child);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    stop = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("{\"children\": %d, \"signatures\": %d}\n", good, signatures);
    EVP_PKEY_free(key);
    return 0;
}
