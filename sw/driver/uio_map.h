/* The registers of a shell, mapped into this process.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_UIO_MAP_H
#define ECCEL_UIO_MAP_H

#include "eccel.h"

struct uio_map {
    int fd;         /* of the UIO device: readable when the interrupt has come. -1: there is no interrupt */
    void *memory;
    size_t bytes;
};

/* Maps `bytes` of a UIO device or of a file, and gives access to them in `bus`. Returns 0, or -1 with errno. */
int uio_map_open(struct uio_map *map, const char *path, size_t bytes, struct eccel_bus *bus);

/* Lets the next interrupt come. */
void uio_map_enable(const struct uio_map *map);

void uio_map_close(struct uio_map *map);

#endif
