/* Memory for secrets. See secret.h.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "secret.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "eccel.h"

void *secret_alloc(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    /* Old kernels do not know these: the memory is then as good as any other. */
    (void)madvise(memory, bytes, MADV_DONTDUMP);
    (void)madvise(memory, bytes, MADV_WIPEONFORK);
    return memory;
}

int secret_is_private(void *memory, size_t bytes)
{
    return madvise(memory, bytes, MADV_WIPEONFORK) == 0;
}

void secret_free(void *memory, size_t bytes)
{
    if (!memory)
        return;
    eccel_wipe(memory, bytes);
    (void)munmap(memory, bytes);
}

__attribute__((noinline)) void secret_burn(void)
{
    char below[8192];
    eccel_wipe(below, sizeof below);
}

int secret_random(void *memory, size_t bytes)
{
    unsigned char *at = memory;
    while (bytes) {
        ssize_t got = getrandom(at, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ECCEL_ERROR_ABSENT;
        at += got;
        bytes -= (size_t)got;
    }
    return 0;
}
