/* Maps the shared file of counters.
   SPDX-License-Identifier: Apache-2.0

   Anybody may create files in /dev/shm. So the file is opened without following links, and used only if it is a plain
   file of this user that nobody else can write. Its name holds the effective user id. */
#include "counters.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
        (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ||
        (status.st_size < (off_t)sizeof(struct counters) && ftruncate(file, sizeof(struct counters)) != 0)) {
        close(file);
        return -1;
    }
    return file;
}

struct counters *counters_open(const char *path)
{
    char name[64];
    if (path == NULL || *path == '\0') {
        snprintf(name, sizeof name, "/dev/shm/eccel-provider-%lu", (unsigned long)geteuid());
        path = name;
    }
    int file = strcmp(path, "none") == 0 ? -1 : open_file(path);
    int flags = file < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    struct counters *counters = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, flags, file, 0);
    if (file >= 0)
        close(file);
    if (counters == MAP_FAILED)
        return NULL;
    if (counters->magic != COUNTERS_MAGIC) {
        if (counters->magic != 0) /* a file of another version; a new one is full of zeros */
            memset(counters, 0, sizeof *counters);
        counters->magic = COUNTERS_MAGIC;
    }
    return counters;
}

void counters_close(struct counters *counters)
{
    if (counters != NULL)
        munmap(counters, sizeof *counters);
}
