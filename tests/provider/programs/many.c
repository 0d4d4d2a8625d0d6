/* Many asynchronous signatures, verifications and key agreements at once, in one thread.
   SPDX-License-Identifier: Apache-2.0

       many CURVE JOBS ROUNDS     prints one JSON object
   Every job is an ASYNC_JOB that signs, verifies, verifies a changed hash, and derives. It is resumed when its
   descriptor is readable. */
#include <openssl/async.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <poll.h>
#include <string.h>

#include "usage.h"

struct work {
    EVP_PKEY *key, *peer;
    unsigned number;
};

static int one_job(void *argument)
{
    const struct work *work = *(struct work **)argument;
    unsigned char hash[32], signature[200], mine[100], theirs[100];
    size_t length = sizeof signature, bytes = sizeof mine, others = sizeof theirs;
    memset(hash, (int)work->number, sizeof hash);
    memcpy(hash, &work->number, sizeof work->number);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, work->key, NULL);
    int good = EVP_PKEY_sign_init(context) > 0 && EVP_PKEY_sign(context, signature, &length, hash, sizeof hash) > 0 &&
               EVP_PKEY_verify_init(context) > 0 && EVP_PKEY_verify(context, signature, length, hash, sizeof hash) == 1;
    hash[7] ^= 1;
    good = good && EVP_PKEY_verify(context, signature, length, hash, sizeof hash) == 0;
    good = good && EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, work->peer) > 0 &&
           EVP_PKEY_derive(context, mine, &bytes) > 0;
    EVP_PKEY_CTX_free(context);
    context = EVP_PKEY_CTX_new_from_pkey(NULL, work->peer, NULL);
    good = good && EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_derive_set_peer(context, work->key) > 0 &&
           EVP_PKEY_derive(context, theirs, &others) > 0 && bytes == others && memcmp(mine, theirs, bytes) == 0;
    EVP_PKEY_CTX_free(context);
    return good;
}

int main(int count, char **arguments)
{
    REQUIRE(count == 4);
    unsigned jobs = (unsigned)atoi(arguments[2]), rounds = (unsigned)atoi(arguments[3]), good = 0, pauses = 0, most = 0;
    struct work work = {EVP_EC_gen(arguments[1]), EVP_EC_gen(arguments[1]), 0};
    REQUIRE(work.key != NULL && work.peer != NULL);
    ASYNC_JOB **job = calloc(jobs, sizeof *job);
    ASYNC_WAIT_CTX **wait = calloc(jobs, sizeof *wait);
    struct work *each = calloc(jobs, sizeof *each);
    struct pollfd *poller = calloc(jobs, sizeof *poller);
    int descriptors = 0;
    long heap = 0;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned running = jobs, paused = 0;
        for (unsigned i = 0; i < jobs; i++) {
            wait[i] = ASYNC_WAIT_CTX_new();
            each[i] = work;
            each[i].number = i;
            poller[i].fd = -2; /* not started */
        }
        while (running > 0) {
            for (unsigned i = 0; i < jobs; i++) {
                if (poller[i].fd == -1 || (poller[i].fd >= 0 && !(poller[i].revents & POLLIN)))
                    continue;
                struct work *pointer = &each[i];
                int result = 0;
                paused -= poller[i].fd >= 0;
                switch (ASYNC_start_job(&job[i], wait[i], &result, one_job, &pointer, sizeof pointer)) {
                case ASYNC_PAUSE: {
                    OSSL_ASYNC_FD fd;
                    size_t fds = 1;
                    REQUIRE(ASYNC_WAIT_CTX_get_all_fds(wait[i], NULL, &fds) && fds == 1 &&
                            ASYNC_WAIT_CTX_get_all_fds(wait[i], &fd, &fds));
                    poller[i] = (struct pollfd){.fd = fd, .events = POLLIN};
                    pauses++;
                    most = ++paused > most ? paused : most;
                    break;
                }
                case ASYNC_FINISH:
                    good += result == 1;
                    running--;
                    poller[i].fd = -1;
                    ASYNC_WAIT_CTX_free(wait[i]);
                    break;
                default:
                    REQUIRE(!"the job was refused");
                }
            }
            REQUIRE(running == 0 || poll(poller, jobs, 60000) > 0);
        }
        if (round == 0) {
            descriptors = open_descriptors();
            heap = heap_bytes();
        }
    }
    printf("{\"jobs\": %u, \"good\": %u, \"pauses\": %u, \"most_paused\": %u, \"descriptors\": %d, \"heap\": %ld}\n",
           jobs * rounds, good, pauses, most, open_descriptors() - descriptors, heap_bytes() - heap);
    EVP_PKEY_free(work.key);
    EVP_PKEY_free(work.peer);
    free(job);
    free(wait);
    free(each);
    free(poller);
    return 0;
}
