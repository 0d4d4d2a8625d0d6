/* Wiping memory. Works without an operating system.
   SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "eccel.h"

void eccel_wipe(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
    __asm__ volatile("" : : "r"(memory) : "memory"); /* somebody may read it: the compiler keeps memset */
}
