/* Links to a board behind a serial port: frames in SLIP (docs/links.md), entropy, and requests again after loss.
   SPDX-License-Identifier: Apache-2.0

   What is lost is found without guessing times: after a pause or a sign of loss the host asks for the state (HELLO). A
   board that is not busy, and has sent all its responses before that state, will not answer what is still open: these
   requests are sent again. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eccel.h"
#include "frame.h"
#include "link.h"
#include "open_requests.h"
#include "secret.h"
#include "serial_port.h"

enum {
    OUT_BYTES = 1 << 16,
    ENTROPY_WORDS = 64,
    PAUSE = 100000,   /* microseconds without traffic after which the host asks */
    ASKED = 300000,   /* and after which it asks again, later each time: a simulated board is slow */
    MOST_ASKED = 6    /* times without an answer: the board is gone */
};

struct buffers {
    struct slip_reader reader;
    struct open_requests open;
    uint32_t content[FRAME_CONTENT_WORDS];
    uint8_t plain[FRAME_BYTES], out[OUT_BYTES];
};

struct uart_link {
    struct link link;
    char path[200];
    unsigned long baud;
    int greeted;       /* the board has said that it was reset */
    unsigned resets;   /* sent; each is answered with a STATUS */
    int spare;         /* the first STATUS may have been of another reset, such as power-up: one more may come */
    unsigned asked;    /* times without an answer */
    int suspect;       /* something was lost */
    uint64_t traffic;  /* time of the last frame from the board, or byte to it */
    size_t begin, end;
    struct buffers *buffers;
};

static void destroy(struct link *base);

static struct link *create(const char *address, char *why, size_t room)
{
    struct uart_link *link = calloc(1, sizeof *link);
    if (!link || !(link->buffers = secret_alloc(sizeof *link->buffers))) {
        free(link);
        (void)snprintf(why, room, "not enough memory");
        return NULL;
    }
    const char *query = strchr(address, '?');
    size_t length = query ? (size_t)(query - address) : strlen(address);
    char *rest = "";
    link->link.ops = &link_uart;
    link->link.fd = -1;
    link->baud = query && !strncmp(query, "?baud=", 6) ? strtoul(query + 6, &rest, 10) : query ? 0 : 1000000;
    if (!length || length >= sizeof link->path || !serial_port_has(link->baud) || *rest) {
        (void)snprintf(why, room, "uart:%s: give a path and a usual rate, as in uart:/dev/ttyUSB0?baud=1000000",
                       address);
        destroy(&link->link);
        return NULL;
    }
    memcpy(link->path, address, length);
    return &link->link;
}

static int failed(struct uart_link *link, const char *what)
{
    (void)snprintf(link->link.why, sizeof link->link.why, "%s %s: %s", what, link->path, strerror(errno));
    return ECCEL_ERROR_LINK;
}

/* Queues a frame. There is room: requests leave space for the small ones. */
static void put(struct uart_link *link, enum frame_type type, const uint32_t *content, size_t words)
{
    struct buffers *buffers = link->buffers;
    if (OUT_BYTES - link->end < 2 * frame_bytes(words) + 2)
        return; /* the host asks again later */
    size_t bytes = frame_write(buffers->plain, type, content, words);
    link->end += slip_write(buffers->out + link->end, buffers->plain, bytes);
    eccel_wipe(buffers->plain, bytes);
}

static void reset_board(struct uart_link *link)
{
    const uint32_t reset = FRAME_CONTROL_RESET;
    link->resets++;
    put(link, FRAME_CONTROL, &reset, 1);
}

static int start(struct link *base, uint64_t now)
{
    struct uart_link *link = (struct uart_link *)base;
    base->fd = serial_port_open(link->path, link->baud);
    if (base->fd < 0)
        return failed(link, "open");
    link->begin = link->end = 0;
    link->greeted = link->suspect = 0;
    link->resets = link->asked = 0;
    link->traffic = now;
    reset_board(link);
    return 0;
}

static size_t room(const struct link *base)
{
    const struct uart_link *link = (const struct uart_link *)base;
    size_t bytes = OUT_BYTES - link->end, spare = 8 * (2 * frame_bytes(ENTROPY_WORDS) + 2);
    if (bytes < spare + 2 * frame_bytes(PACKET_LOAD_WORDS) + 2 || link->buffers->open.count == OPEN_REQUESTS)
        return 0;
    return PACKET_LOAD_WORDS;
}

static void send_packet(struct link *base, const uint32_t *packet, size_t words, uint64_t now)
{
    struct uart_link *link = (struct uart_link *)base;
    (void)now;
    open_requests_add(&link->buffers->open, packet, words);
    put(link, FRAME_REQUEST, packet, words);
}

/* The time after the last traffic at which the host asks. */
static uint64_t patience(const struct uart_link *link)
{
    return link->asked ? (uint64_t)ASKED << (link->asked - 1) : link->suspect ? 0 : PAUSE;
}

/* Asks for the state if it is time. Returns an error if the board has not answered for long. */
static int inquire(struct uart_link *link, uint64_t now)
{
    if (link->begin != link->end || now < link->traffic + patience(link) || (link->greeted && !link->buffers->open.count && !link->suspect))
        return 0;
    if (link->asked == MOST_ASKED) {
        (void)snprintf(link->link.why, sizeof link->link.why, "%s: the board has stopped answering", link->path);
        return ECCEL_ERROR_LINK;
    }
    link->asked++;
    link->traffic = now;
    if (!link->greeted) {
        reset_board(link);
        return 0;
    }
    open_requests_ask(&link->buffers->open);
    put(link, FRAME_HELLO, NULL, 0);
    return 0;
}

static int flush(struct link *base, uint64_t now)
{
    struct uart_link *link = (struct uart_link *)base;
    int error = inquire(link, now);
    if (error || link->begin == link->end)
        return error;
    ssize_t sent = write(base->fd, link->buffers->out + link->begin, link->end - link->begin);
    if (sent < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : failed(link, "write to");
    eccel_wipe(link->buffers->out + link->begin, (size_t)sent);
    link->begin += (size_t)sent;
    link->traffic = now;
    if (link->begin == link->end)
        link->begin = link->end = 0;
    return 0;
}

static short events(const struct link *base)
{
    const struct uart_link *link = (const struct uart_link *)base;
    return (short)(POLLIN | (link->begin != link->end ? POLLOUT : 0));
}

static uint64_t due(const struct link *base, uint64_t now)
{
    const struct uart_link *link = (const struct uart_link *)base;
    (void)now;
    if (link->begin != link->end || (link->greeted && !link->buffers->open.count && !link->suspect))
        return UINT64_MAX;
    return link->traffic + patience(link);
}

static int send_again(struct uart_link *link)
{
    const struct open_request *request;
    int error = 0;
    while ((request = open_requests_lost(&link->buffers->open, &error)))
        put(link, FRAME_REQUEST, request->packet, request->words);
    if (error)
        (void)snprintf(link->link.why, sizeof link->link.why, "%s: a request was lost", link->path);
    return error;
}

static int take_status(struct uart_link *link, const struct frame *frame, uint64_t now)
{
    uint32_t entropy[ENTROPY_WORDS];
    if (frame->words < 4)
        return ECCEL_ERROR_LINK;
    uint32_t flags = frame->content[2];
    if (flags & FRAME_STATUS_ENT_WANTED && !secret_random(entropy, sizeof entropy))
        put(link, FRAME_ENTROPY, entropy, ENTROPY_WORDS);
    eccel_wipe(entropy, sizeof entropy);
    if (!link->greeted) {
        if (!(flags & FRAME_STATUS_CLEARED))
            return 0; /* sent before the reset */
        link->greeted = 1;
        link->spare = 1;
        link->resets--;
        link->asked = 0;
        link->suspect = 0;
        return device_status(link->link.device, frame->content, frame->words, now);
    }
    if (flags & FRAME_STATUS_CLEARED) {
        if (!link->resets && !link->spare)
            return device_status(link->link.device, frame->content, frame->words, now);
        if (link->resets)
            link->resets--; /* a reset that was sent twice: what it has cleared is sent again */
        else
            link->spare = 0;
    }
    if (!link->asked)
        return 0;
    if (flags & FRAME_STATUS_ENT_WANTED) {
        link->asked = 1; /* it may have been sent unasked, before the requests came: only the next one tells */
        return 0;
    }
    link->asked = 0;
    link->suspect = 0;
    return flags & FRAME_STATUS_BUSY ? 0 : send_again(link);
}

static int take_response(struct uart_link *link, const struct frame *frame, uint64_t now)
{
    if (!link->greeted || !frame->words)
        return 0; /* of requests before the reset */
    link->spare = 0; /* what came before this request has been answered */
    open_requests_answered(&link->buffers->open, frame->content);
    return device_response(link->link.device, frame->content, frame->words, 0, now);
}

static int take(struct uart_link *link, int found, uint64_t now)
{
    struct frame frame;
    struct slip_reader *reader = &link->buffers->reader;
    int error = 0;
    int whole = found > 0 &&
                frame_decode(reader->bytes, reader->count, &frame, link->buffers->content) == FRAME_WHOLE;
    if (whole)
        link->traffic = now; /* other bytes do not count: noise must not put off the question */
    if (!whole) {
        link->suspect = 1;
    } else if (frame.type == FRAME_STATUS) {
        error = take_status(link, &frame, now);
    } else if (frame.type == FRAME_RESPONSE) {
        error = take_response(link, &frame, now);
    } else {
        link->suspect = 1; /* ERROR: the board has lost a frame */
    }
    eccel_wipe(link->buffers->content, sizeof link->buffers->content);
    eccel_wipe(reader->bytes, sizeof reader->bytes);
    return error;
}

static int pump(struct link *base, short happened, uint64_t now)
{
    struct uart_link *link = (struct uart_link *)base;
    uint8_t bytes[4096];
    if (!(happened & (POLLIN | POLLHUP | POLLERR)))
        return 0;
    ssize_t got = read(base->fd, bytes, sizeof bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got <= 0) {
        errno = got ? errno : ENODEV;
        return failed(link, "read from");
    }
    int error = 0;
    for (ssize_t i = 0; i < got && !error; i++) {
        int found = slip_read(&link->buffers->reader, bytes[i]);
        if (found)
            error = take(link, found, now);
    }
    eccel_wipe(bytes, sizeof bytes);
    return error;
}

static void stop(struct link *base)
{
    struct uart_link *link = (struct uart_link *)base;
    if (base->fd >= 0)
        serial_port_close(base->fd);
    base->fd = -1;
    eccel_wipe(link->buffers, sizeof *link->buffers);
}

static void destroy(struct link *base)
{
    struct uart_link *link = (struct uart_link *)base;
    stop(base);
    secret_free(link->buffers, sizeof *link->buffers);
    free(link);
}

static void forget(struct link *base)
{
    if (base->fd >= 0)
        (void)close(base->fd);
}

const struct link_ops link_uart = {
    .scheme = "uart",
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
