/* Links to an engine behind the AXI4-Lite shell, mapped into this process: docs/registers.md.
   SPDX-License-Identifier: Apache-2.0

   With an interrupt the link waits for it. Without one it reads STATUS: all the time while the engine may want entropy
   from the link, because it waits for a word for less than a millisecond; otherwise once in a millisecond after a
   while. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link.h"
#include "packet.h"
#include "registers.h"
#include "secret.h"
#include "uio_map.h"

enum {
    RANDOM_WORDS = 256,
    STEPS = 4096,     /* events in one call */
    BUSY_TIME = 200,  /* microseconds after a request in which STATUS is read all the time */
    PAUSE = 1000
};

struct uio_link {
    struct link link;
    char path[200];
    struct uio_map map;
    struct registers registers;
    int found, greeted;
    unsigned open;           /* requests without a response */
    uint64_t last_request, look;
    unsigned random_left;
    uint32_t *random;
};

static void destroy(struct link *base);

static struct link *create(const char *address, char *why, size_t room)
{
    struct uio_link *link = calloc(1, sizeof *link);
    if (!link || !(link->random = secret_alloc(RANDOM_WORDS * sizeof *link->random))) {
        free(link);
        (void)snprintf(why, room, "not enough memory");
        return NULL;
    }
    const char *query = strchr(address, '?');
    size_t length = query ? (size_t)(query - address) : strlen(address);
    char *rest = "";
    unsigned long window = query && !strncmp(query, "?window=", 8) ? strtoul(query + 8, &rest, 10) : query ? 99 : 0;
    link->link.ops = &link_uio;
    link->link.fd = -1;
    link->map.fd = -1;
    if (!length || length >= sizeof link->path || window > 7 || *rest) {
        (void)snprintf(why, room, "uio:%s: give a device and a window, as in uio:/dev/uio0?window=0", address);
        destroy(&link->link);
        return NULL;
    }
    link->link.window = (unsigned)window;
    memcpy(link->path, address, length);
    return &link->link;
}

static int lost(struct uio_link *link, const char *what)
{
    (void)snprintf(link->link.why, sizeof link->link.why, "%s: %s", link->path, what);
    return ECCEL_ERROR_LINK;
}

static int start(struct link *base, uint64_t now)
{
    struct uio_link *link = (struct uio_link *)base;
    struct eccel_bus bus;
    if (uio_map_open(&link->map, link->path, ECCEL_WINDOW(base->window + 1), &bus))
        return lost(link, strerror(errno));
    base->fd = link->map.fd;
    if (registers_find(&link->registers, &bus, base->window))
        return lost(link, "there is no shell of this version, or no such window");
    link->found = 1;
    link->greeted = 0;
    link->open = 0;
    link->look = now;
    registers_clear(&link->registers);
    return 0;
}

static size_t room(const struct link *base)
{
    (void)base;
    return PACKET_LOAD_WORDS; /* the device counts the words of the FIFO */
}

static void send_packet(struct link *base, const uint32_t *packet, size_t words, uint64_t now)
{
    struct uio_link *link = (struct uio_link *)base;
    registers_send(&link->registers, packet, (unsigned)words);
    link->open++;
    link->last_request = link->look = now;
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

static int feeds(const struct uio_link *link)
{
    return !(link->registers.config & ECCEL_CONFIG_EXT_ENTROPY);
}

/* When STATUS is to be read the next time, without an interrupt. */
static uint64_t next_look(const struct uio_link *link, uint64_t now)
{
    int at_once = !link->greeted || feeds(link) || now < link->last_request + BUSY_TIME;
    return at_once ? now : now + PAUSE;
}

static uint64_t due(const struct link *base, uint64_t now)
{
    const struct uio_link *link = (const struct uio_link *)base;
    (void)now;
    return link->greeted && (!link->open || base->fd >= 0) ? UINT64_MAX : link->look;
}

/* Gives the engine a random word. */
static int feed(struct uio_link *link)
{
    if (!link->random_left) {
        if (secret_random(link->random, RANDOM_WORDS * sizeof *link->random))
            return lost(link, "the operating system has no random numbers");
        link->random_left = RANDOM_WORDS;
    }
    registers_write(&link->registers, ECCEL_ENT_DATA, link->random[--link->random_left]);
    link->random[link->random_left] = 0;
    return 0;
}

static int receive(struct uio_link *link, uint64_t now)
{
    uint32_t words[PACKET_RESULT_WORDS];
    unsigned count = registers_receive(&link->registers, words, PACKET_RESULT_WORDS);
    link->open -= link->open > 0;
    int error = count ? device_response(link->link.device, words, count, 0, now) : lost(link, "a response is too long");
    eccel_wipe(words, sizeof words);
    return error;
}

static int greet(struct uio_link *link, uint64_t now)
{
    if (!registers_accept(&link->registers))
        return 0;
    link->greeted = 1;
    registers_write(&link->registers, ECCEL_IRQ_ENABLE,
                    ECCEL_IRQ_ENABLE_RSP_VALID | ECCEL_IRQ_ENABLE_CLEARED |
                        (feeds(link) ? ECCEL_IRQ_ENABLE_ENT_WANTED : 0));
    const uint32_t status[] = {ECCEL_ID_VALUE, link->registers.config, 0, 0};
    return device_status(link->link.device, status, 4, now);
}

static int pump(struct link *base, short happened, uint64_t now)
{
    struct uio_link *link = (struct uio_link *)base;
    uint32_t count;
    int error = 0;
    if (happened && base->fd >= 0)
        (void)!read(base->fd, &count, sizeof count);
    if (!link->greeted)
        error = greet(link, now);
    for (int i = 0; i < STEPS && link->greeted && !error; i++) {
        uint32_t status = registers_read(&link->registers, ECCEL_STATUS);
        if (status == UINT32_MAX)
            error = lost(link, "the device is gone");
        else if (status & ECCEL_STATUS_CLEARED)
            error = lost(link, "the engine was reset or zeroised");
        else if (status & ECCEL_STATUS_OVERFLOW)
            error = lost(link, "a request was refused");
        else if (status & ECCEL_STATUS_RSP_VALID)
            error = receive(link, now);
        else if (status & ECCEL_STATUS_ENT_WANTED && feeds(link))
            error = feed(link);
        else
            break;
    }
    uio_map_enable(&link->map);
    link->look = next_look(link, now);
    return error;
}

/* The engine forgets the requests, unless others use it. */
static void stop(struct link *base)
{
    struct uio_link *link = (struct uio_link *)base;
    if (link->found) {
        registers_write(&link->registers, ECCEL_IRQ_ENABLE, 0);
        registers_clear(&link->registers);
    }
    link->found = link->greeted = 0;
    uio_map_close(&link->map);
    base->fd = -1;
}

static void destroy(struct link *base)
{
    struct uio_link *link = (struct uio_link *)base;
    stop(base);
    secret_free(link->random, RANDOM_WORDS * sizeof *link->random);
    free(link);
}

static void forget(struct link *base)
{
    struct uio_link *link = (struct uio_link *)base;
    uio_map_close(&link->map);
}

const struct link_ops link_uio = {
    .scheme = "uio",
    .repeats = 1,
    .feeds_entropy = 1,
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
