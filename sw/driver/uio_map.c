/* The registers of a shell, mapped into this process. See uio_map.h.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "uio_map.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t read_word(void *context, uint32_t offset)
{
    return *(volatile uint32_t *)((unsigned char *)context + offset);
}

static void write_word(void *context, uint32_t offset, uint32_t word)
{
    *(volatile uint32_t *)((unsigned char *)context + offset) = word;
}

int uio_map_open(struct uio_map *map, const char *path, size_t bytes, struct eccel_bus *bus)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_SYNC), interrupts = !strncmp(path, "/dev/uio", 8);
    *map = (struct uio_map){.fd = -1};
    if (fd < 0)
        return -1;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        (void)close(fd);
        return -1;
    }
    if (interrupts)
        map->fd = fd;
    else
        (void)close(fd); /* the mapping stays */
    map->memory = memory;
    map->bytes = bytes;
    *bus = (struct eccel_bus){read_word, write_word, memory};
    return 0;
}

void uio_map_enable(const struct uio_map *map)
{
    const uint32_t one = 1;
    if (map->fd >= 0)
        (void)!write(map->fd, &one, sizeof one);
}

void uio_map_close(struct uio_map *map)
{
    if (map->memory)
        (void)munmap(map->memory, map->bytes);
    if (map->fd >= 0)
        (void)close(map->fd);
    *map = (struct uio_map){.fd = -1};
}
