/* Links: how packets reach a device. One table of functions for each transport.
   SPDX-License-Identifier: Apache-2.0

   All functions of a link are called by one thread at a time. A link tells its device what comes: device_status for the
   content of a STATUS frame (docs/links.md), which is also how a link says that it is ready, and device_response for
   a packet. Both may be called from start, flush and pump. Functions that return int return 0, or an error for which
   the device is taken out of service. */
#ifndef ECCEL_LINK_H
#define ECCEL_LINK_H

#include <stddef.h>
#include <stdint.h>

struct device;
struct link;

struct link_ops {
    const char *scheme;
    int survives_fork; /* 1: a child can open a link of its own */
    /* 1: responses without a request may come, because requests are sent again after loss. */
    int repeats;
    /* 1: this process feeds the entropy port, and may be too late for it. */
    int feeds_entropy;
    /* A link that is not started, or NULL with a reason in `why`. The address is what follows "scheme:". */
    struct link *(*create)(const char *address, char *why, size_t room);
    int (*start)(struct link *link, uint64_t now);
    /* Number of words of packets for which there is room. */
    size_t (*room)(const struct link *link);
    /* Takes a packet; there is room for it. */
    void (*send)(struct link *link, const uint32_t *packet, size_t words, uint64_t now);
    int (*flush)(struct link *link, uint64_t now);
    /* Events of poll() to wait for on link->fd, and the time (microseconds) at which pump is to be called anyway. */
    short (*events)(const struct link *link);
    uint64_t (*due)(const struct link *link, uint64_t now);
    int (*pump)(struct link *link, short events, uint64_t now);
    /* Ends the connection; start may be called again. */
    void (*stop)(struct link *link);
    void (*destroy)(struct link *link);
    /* In a child after fork: gives up what is the parent's, without an effect on it. */
    void (*forget)(struct link *link);
};

struct link {
    const struct link_ops *ops;
    struct device *device;
    int fd;          /* for poll(), or -1 */
    unsigned window; /* of a shell with several */
    char why[384]; /* the reason of the last error, for eccel_open_error */
};

extern const struct link_ops link_unix, link_tcp, link_model, link_uart, link_uio;

/* The link for a URI, or NULL with a reason. */
struct link *link_create(const char *uri, char *why, size_t room);

/* Called by links. words: content of STATUS. Both return 0, or an error that the link's function returns. */
int device_status(struct device *device, const uint32_t *words, size_t count, uint64_t now);
int device_response(struct device *device, const uint32_t *words, size_t count, uint64_t cycles, uint64_t now);

#endif
