/* memcpy, memset and memcmp, also where there is no C library: gcc needs these three from every program.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_MEMORY_H
#define ECCEL_MEMORY_H

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <string.h>
#else
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *memory, int value, size_t bytes);
int memcmp(const void *left, const void *right, size_t bytes);
#endif

#endif
