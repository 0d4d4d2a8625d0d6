/* Memory for secrets: not in core dumps, and empty in a child after fork.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_SECRET_H
#define ECCEL_SECRET_H

#include <stddef.h>

/* Zeroed memory, or NULL. */
void *secret_alloc(size_t bytes);

/* 1 if the memory is really empty in a child: kernels before 4.14 cannot do it. */
int secret_is_private(void *memory, size_t bytes);

/* Wipes and frees it; `bytes` as at secret_alloc. NULL is allowed. */
void secret_free(void *memory, size_t bytes);

/* Overwrites the stack below the caller, where functions that have returned may have left copies of secrets. */
void secret_burn(void);

/* Fills memory from the operating system's random source. Returns 0 or ECCEL_ERROR_ABSENT. */
int secret_random(void *memory, size_t bytes);

#endif
