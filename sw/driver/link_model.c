/* Links to a model in this process: the Verilated library of a configuration, which a thread of the link runs.
   SPDX-License-Identifier: Apache-2.0

   The link's functions and the thread exchange packets through two buffers under a lock. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "eccel.h"
#include "gen/eccel_regs.h"
#include "link.h"
#include "model_library.h"
#include "packet.h"
#include "secret.h"

enum {
    FIFO_LOG2 = 12,         /* 4,094 words of unanswered requests keep a cluster busy */
    CLOCKS = 20000,         /* of one run: some milliseconds */
    ENTROPY_WORDS = 1024,   /* kept ready for the entropy port */
    BUFFER_WORDS = 1 << 14,
    RESPONSE_WORDS = 64,
    RECORD_WORDS = 3 /* before each packet: its words, cycles low and high */
};

struct mail {
    size_t words;
    uint32_t store[BUFFER_WORDS];
};

struct buffers {
    struct mail in, out, taken;
};

enum command { RUN, RESET, END };

struct model_link {
    struct link link;
    struct model_library library;
    void *model; /* of the thread */
    pthread_t thread;
    int running, ready;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    /* Under the lock: */
    enum command command;
    int opened; /* 1: the thread has opened the model, -1: it could not */
    struct buffers *buffers;
};

static void destroy(struct link *base);

static struct link *create(const char *folder, char *why, size_t room)
{
    struct model_link *link = calloc(1, sizeof *link);
    if (!link || !(link->buffers = secret_alloc(sizeof *link->buffers))) {
        free(link);
        (void)snprintf(why, room, "not enough memory");
        return NULL;
    }
    link->link.ops = &link_model;
    link->link.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    (void)pthread_mutex_init(&link->lock, NULL);
    (void)pthread_cond_init(&link->wake, NULL);
    if (link->link.fd < 0 || model_library_open(&link->library, folder, why, room)) {
        destroy(&link->link);
        return NULL;
    }
    return &link->link;
}

static void feed(struct model_link *link)
{
    uint32_t words[ENTROPY_WORDS];
    if (link->library.entropy_left(link->model) < ENTROPY_WORDS / 2 && !secret_random(words, sizeof words))
        link->library.entropy_words(link->model, words, ENTROPY_WORDS);
    eccel_wipe(words, sizeof words);
}

/* Takes a command and packets; waits if there is nothing to do. */
static enum command receive_mail(struct model_link *link)
{
    struct buffers *buffers = link->buffers;
    (void)pthread_mutex_lock(&link->lock);
    while (link->command == RUN && !buffers->in.words && !link->library.pending(link->model))
        (void)pthread_cond_wait(&link->wake, &link->lock);
    enum command command = link->command;
    if (command == RESET)
        link->command = RUN;
    memcpy(buffers->taken.store, buffers->in.store, 4 * buffers->in.words);
    buffers->taken.words = buffers->in.words;
    eccel_wipe(buffers->in.store, 4 * buffers->in.words);
    buffers->in.words = 0;
    (void)pthread_mutex_unlock(&link->lock);
    return command;
}

static void answer(struct model_link *link)
{
    struct mail *out = &link->buffers->out;
    uint32_t words[RESPONSE_WORDS];
    uint64_t cycles, one = 1;
    size_t count;
    while ((count = link->library.receive(link->model, words, RESPONSE_WORDS, &cycles))) {
        (void)pthread_mutex_lock(&link->lock);
        if (link->command == RUN && out->words + count + RECORD_WORDS <= BUFFER_WORDS) {
            uint32_t *at = out->store + out->words;
            at[0] = (uint32_t)count;
            at[1] = (uint32_t)cycles;
            at[2] = (uint32_t)(cycles >> 32);
            memcpy(at + RECORD_WORDS, words, 4 * count);
            out->words += count + RECORD_WORDS;
        }
        (void)pthread_mutex_unlock(&link->lock);
        (void)!write(link->link.fd, &one, sizeof one);
    }
    eccel_wipe(words, sizeof words);
}

static void *model_thread(void *argument)
{
    struct model_link *link = argument;
    uint64_t one = 1;
    enum command command;
    (void)unshare(CLONE_FS); /* the model enters its folder while it is opened; the process does not */
    link->model = link->library.open(link->library.folder);
    (void)pthread_mutex_lock(&link->lock);
    link->opened = link->model ? 1 : -1;
    (void)pthread_mutex_unlock(&link->lock);
    (void)!write(link->link.fd, &one, sizeof one);
    while (link->model && (command = receive_mail(link)) != END) {
        if (command == RESET) {
            link->library.forget(link->model);
            link->library.reset(link->model, 2);
        }
        struct mail *mail = &link->buffers->taken;
        for (size_t at = 0; at < mail->words; at += 1 + mail->store[at])
            link->library.send(link->model, mail->store + at + 1, mail->store[at]);
        eccel_wipe(mail->store, 4 * mail->words);
        mail->words = 0;
        feed(link);
        (void)link->library.run(link->model, CLOCKS);
        answer(link);
    }
    if (link->model)
        link->library.close(link->model);
    return NULL;
}

static int start(struct link *base, uint64_t now)
{
    struct model_link *link = (struct model_link *)base;
    sigset_t all, before;
    (void)now;
    link->ready = 0;
    if (link->running)
        return 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    link->running = !pthread_create(&link->thread, NULL, model_thread, link);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return link->running ? 0 : ECCEL_ERROR_MEMORY;
}

static size_t room(const struct link *base)
{
    struct model_link *link = (struct model_link *)(uintptr_t)base;
    (void)pthread_mutex_lock(&link->lock);
    size_t words = BUFFER_WORDS - link->buffers->in.words;
    (void)pthread_mutex_unlock(&link->lock);
    return words < 1 ? 0 : words - 1;
}

static void send_packet(struct link *base, const uint32_t *packet, size_t words, uint64_t now)
{
    struct model_link *link = (struct model_link *)base;
    struct mail *in = &link->buffers->in;
    (void)now;
    (void)pthread_mutex_lock(&link->lock);
    in->store[in->words] = (uint32_t)words;
    memcpy(in->store + in->words + 1, packet, 4 * words);
    in->words += 1 + words;
    (void)pthread_cond_signal(&link->wake);
    (void)pthread_mutex_unlock(&link->lock);
}

static int flush(struct link *base, uint64_t now)
{
    (void)base;
    (void)now;
    return 0;
}

static short events(const struct link *base)
{
    (void)base;
    return POLLIN;
}

/* The model is ready as soon as it is open, which happened before if the device has been taken out. */
static uint64_t due(const struct link *base, uint64_t now)
{
    struct model_link *link = (struct model_link *)(uintptr_t)base;
    (void)pthread_mutex_lock(&link->lock);
    int opened = link->opened;
    (void)pthread_mutex_unlock(&link->lock);
    return opened && !link->ready ? now : UINT64_MAX;
}

static int greet(struct model_link *link, uint64_t now)
{
    uint32_t status[4 + MODEL_NAME_WORDS] = {ECCEL_ID_VALUE, FIFO_LOG2 << ECCEL_CONFIG_FIFO_LOG2_SHIFT, 0, link->library.clock_khz};
    for (size_t i = 0; link->library.name[i]; i++)
        status[4 + i / 4] |= (uint32_t)(uint8_t)link->library.name[i] << 8 * (i % 4);
    link->ready = 1;
    return device_status(link->link.device, status, sizeof status / sizeof *status, now);
}

static int pump(struct link *base, short happened, uint64_t now)
{
    struct model_link *link = (struct model_link *)base;
    struct mail *out = &link->buffers->out;
    uint32_t words[RESPONSE_WORDS];
    uint64_t count;
    int error = 0, opened;
    if (happened)
        (void)!read(base->fd, &count, sizeof count);
    (void)pthread_mutex_lock(&link->lock);
    opened = link->opened;
    (void)pthread_mutex_unlock(&link->lock);
    if (opened < 0) {
        (void)snprintf(base->why, sizeof base->why, "the model in %s cannot be opened", link->library.folder);
        return ECCEL_ERROR_ABSENT;
    }
    if (opened && !link->ready)
        error = greet(link, now);
    for (size_t at = 0; !error;) { /* the lock is free while the device has a response: it may send */
        (void)pthread_mutex_lock(&link->lock);
        const uint32_t *record = out->store + at;
        size_t length = at < out->words ? record[0] : 0;
        uint64_t cycles = length ? record[1] | (uint64_t)record[2] << 32 : 0;
        memcpy(words, record + RECORD_WORDS, 4 * length);
        at += RECORD_WORDS + length;
        if (!length) {
            eccel_wipe(out->store, 4 * out->words);
            out->words = 0;
        }
        (void)pthread_mutex_unlock(&link->lock);
        if (!length)
            break;
        error = device_response(base->device, words, length, cycles, now);
    }
    eccel_wipe(words, sizeof words);
    return error;
}

static void stop(struct link *base)
{
    struct model_link *link = (struct model_link *)base;
    (void)pthread_mutex_lock(&link->lock);
    link->command = RESET;
    eccel_wipe(&link->buffers->in, sizeof link->buffers->in);
    eccel_wipe(&link->buffers->out, sizeof link->buffers->out);
    (void)pthread_cond_signal(&link->wake);
    (void)pthread_mutex_unlock(&link->lock);
}

static void destroy(struct link *base)
{
    struct model_link *link = (struct model_link *)base;
    if (link->running) {
        (void)pthread_mutex_lock(&link->lock);
        link->command = END;
        (void)pthread_cond_signal(&link->wake);
        (void)pthread_mutex_unlock(&link->lock);
        (void)pthread_join(link->thread, NULL);
    }
    model_library_close(&link->library);
    if (base->fd >= 0)
        (void)close(base->fd);
    secret_free(link->buffers, sizeof *link->buffers);
    (void)pthread_mutex_destroy(&link->lock);
    (void)pthread_cond_destroy(&link->wake);
    free(link);
}

/* The thread is the parent's, and it may have held the lock: what it used is given up. */
static void forget(struct link *base)
{
    if (base->fd >= 0)
        (void)close(base->fd);
}

const struct link_ops link_model = {
    .scheme = "model",
    .create = create,
    .start = start,
    .room = room,
    .send = send_packet,
    .flush = flush,
    .events = events,
    .due = due,
    .pump = pump,
    .stop = stop,
    .destroy = destroy,
    .forget = forget,
};
