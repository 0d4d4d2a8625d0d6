/* Memory for secrets. See memory.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "memory.h"

#include "eccel.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

int memory_protect(int dumpable)
{
    const struct rlimit no_core = {0, 0};
    struct rlimit limit;
    if (!dumpable) {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        setrlimit(RLIMIT_CORE, &no_core);
    }
    /* With a limit, a later mmap would fail instead: then nothing is locked. */
    if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur != RLIM_INFINITY) {
        const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
        if (setrlimit(RLIMIT_MEMLOCK, &unlimited))
            return 0;
    }
    return !mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

void *memory_take(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_DONTDUMP);
    return memory;
}

void memory_give(void *memory, size_t bytes)
{
    if (!memory)
        return;
    eccel_wipe(memory, bytes);
    munmap(memory, bytes);
}
