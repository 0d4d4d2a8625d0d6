/* TLS handshakes that are given up while the server's private key operation is paused.
   SPDX-License-Identifier: Apache-2.0

       aborted CERTIFICATE KEY COUNT drain|free|baseline     prints one JSON object

   drain: the server resumes the handshake until it ends, as OpenSSL asks for, and then frees the connection. free: it
   frees the connection at once, as servers do; OpenSSL then loses the job and what libssl allocated in it. baseline:
   the same loss without this provider, for comparison: a job that pauses by itself in place of the handshake. */
#include <openssl/async.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "usage.h"

static SSL_CTX *server_context(const char *certificate, const char *key)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    REQUIRE(SSL_CTX_use_certificate_file(context, certificate, SSL_FILETYPE_PEM) > 0);
    REQUIRE(SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) > 0);
    SSL_CTX_set_mode(context, SSL_MODE_ASYNC);
    return context;
}

/* A client's first message, made once by a real client. */
static int first_message(unsigned char *message, int room)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    REQUIRE(SSL_CTX_set1_groups_list(context, "P-256"));
    SSL *client = SSL_new(context);
    BIO *out = BIO_new(BIO_s_mem());
    SSL_set_bio(client, BIO_new(BIO_s_mem()), out);
    SSL_connect(client);
    int length = BIO_read(out, message, room);
    SSL_free(client);
    SSL_CTX_free(context);
    return length;
}

static int pause_once(void *unused)
{
    (void)unused;
    return ASYNC_pause_job();
}

static void baseline(void)
{
    ASYNC_JOB *job = NULL;
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    int result;
    REQUIRE(ASYNC_start_job(&job, wait, &result, pause_once, NULL, 0) == ASYNC_PAUSE);
    ASYNC_WAIT_CTX_free(wait);
}

static void drain(SSL *server)
{
    OSSL_ASYNC_FD fd[4];
    size_t fds = 4;
    while (SSL_waiting_for_async(server)) {
        REQUIRE(SSL_get_all_async_fds(server, NULL, &fds) && fds == 1 && SSL_get_all_async_fds(server, fd, &fds));
        struct pollfd poller = {.fd = fd[0], .events = POLLIN};
        REQUIRE(poll(&poller, 1, 60000) == 1);
        SSL_accept(server);
    }
}

int main(int count, char **arguments)
{
    REQUIRE(count == 5);
    SSL_CTX *context = server_context(arguments[1], arguments[2]);
    int total = atoi(arguments[3]), paused = 0, descriptors = 0;
    unsigned char hello[2000];
    int length = first_message(hello, sizeof hello);
    REQUIRE(length > 0);
    long heap = 0;
    for (int i = 0; i < total + 10; i++) {
        if (i == 10) { /* the first ones fill caches */
            descriptors = open_descriptors();
            heap = heap_bytes();
        }
        if (strcmp(arguments[4], "baseline") == 0) {
            baseline();
            continue;
        }
        SSL *server = SSL_new(context);
        BIO *in = BIO_new(BIO_s_mem());
        SSL_set_bio(server, in, BIO_new(BIO_s_mem()));
        BIO_write(in, hello, length);
        REQUIRE(SSL_accept(server) <= 0);
        REQUIRE(SSL_get_error(server, -1) == SSL_ERROR_WANT_ASYNC);
        paused++;
        if (strcmp(arguments[4], "drain") == 0)
            drain(server);
        SSL_free(server);
    }
    usleep(300000); /* what is still in the device ends now, without anybody who waits for it */
    printf("{\"paused\": %d, \"descriptors\": %d, \"heap\": %ld}\n", paused, open_descriptors() - descriptors,
           heap_bytes() - heap);
    SSL_CTX_free(context);
    return 0;
}
