/* What this process holds: descriptors, memory, threads. For programs that look for growth.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PROGRAMS_USAGE_H
#define PROGRAMS_USAGE_H

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static inline int open_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 3; /* ".", "..", and the folder itself */
}

/* Bytes that malloc has given out. */
static inline long heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

#define REQUIRE(condition)                                                     \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);    \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#endif
