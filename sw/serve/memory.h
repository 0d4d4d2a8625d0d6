/* Memory for secrets: left out of core files, and where permitted kept out of swap.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SERVE_MEMORY_H
#define SERVE_MEMORY_H

#include <stddef.h>

/* Makes this process one that other users' programs and core files cannot look into, unless `dumpable`, and locks its
   memory. Returns 1 if the memory is locked, 0 if the system does not permit that. */
int memory_protect(int dumpable);

/* Zeroed memory that is not in core files. NULL if there is none. */
void *memory_take(size_t bytes);

/* Overwrites and frees it. NULL is allowed. */
void memory_give(void *memory, size_t bytes);

#endif
