/* eccel-serve: shares an engine among programs.
   SPDX-License-Identifier: Apache-2.0

   Exit codes: 0 stopped by a signal, 1 a failure, 2 wrong usage. */
#define _GNU_SOURCE
#include "library.h"
#include "memory.h"
#include "paced.h"
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Signals arrive as a descriptor. Threads of libraries inherit the mask. */
static int take_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int write_pid(const char *path)
{
    char text[24];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return -1;
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    ssize_t written = write(fd, text, (size_t)length);
    close(fd);
    return written == length ? 0 : -1;
}

/* The library's answer to a curve that is not used any more. */
static void forget(void *context, struct curve *curve)
{
    struct backend *backend = context;
    backend->forget(backend, curve);
}

static int failed(struct server *server, const char *event, const char *reason)
{
    LOG(&server->log, LEVEL_ERROR, event, TEXT("reason", reason));
    return 1;
}

static int serve(struct server *server, const struct options *options)
{
    char error[512] = "";
    if (jobs_open(&server->jobs) || (server->epoll = epoll_create1(EPOLL_CLOEXEC)) < 0)
        return failed(server, "no_descriptors", strerror(errno));
    /* The sockets come first, so that a second server fails before it disturbs a device. Nothing is accepted yet. */
    if (listeners_open(&server->listeners, server, error, sizeof error))
        return failed(server, "cannot_listen", error);
    server->backend = options->devices[0] ? library_open(options, error, sizeof error)
                                          : paced_open(options, &server->log, error, sizeof error);
    if (!server->backend)
        return failed(server, "no_device", error);
    server->curves.forget = forget;
    server->curves.context = server->backend;
    if (options->pid_file && write_pid(options->pid_file))
        return failed(server, "no_pid_file", options->pid_file);
    LOG(&server->log, LEVEL_INFO, "ready", TEXT("name", server->backend->name), TEXT("kind", server->backend->kind),
        NUMBER("clock_khz", server->backend->clock_khz), NUMBER("pid", getpid()));
    int code = server_run(server);
    if (options->pid_file)
        unlink(options->pid_file);
    return code;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct server server;
    int end = options_read(&options, argc, argv);
    if (end >= 0)
        return end;
    server.options = &options;
    server.queue = options.queue;
    server.log = (struct log){.level = options.level, .json = options.log_json};
    server.signals.fd = take_signals();
    server.epoll = -1;
    server.jobs.source.fd = -1;
    if (!memory_protect(options.dumpable))
        LOG(&server.log, LEVEL_INFO, "memory_not_locked", TEXT("reason", "RLIMIT_MEMLOCK; pages may reach the swap"));
    int code = serve(&server, &options);
    listeners_close(&server.listeners);
    if (server.backend)
        server.backend->close(server.backend); /* after this, no job comes back */
    server.curves.forget = NULL;
    curves_close(&server.curves);
    jobs_close(&server.jobs);
    return code;
}
