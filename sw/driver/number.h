/* Unsigned numbers in words, least significant word first, and as byte strings, most significant byte first.
   SPDX-License-Identifier: Apache-2.0

   The time of these functions depends on lengths only. */
#ifndef ECCEL_NUMBER_H
#define ECCEL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Reads a byte string into `words` words. Returns 0, or -1 if the number does not fit. */
static inline int number_read(uint32_t *out, size_t words, const uint8_t *bytes, size_t length)
{
    size_t room = 4 * words, i = 0;
    uint32_t beyond = 0;
    while (length > room) {
        beyond |= *bytes++;
        length--;
    }
    for (i = 0; i + 4 <= length; i += 4) {
        const uint8_t *at = bytes + length - i - 4;
        out[i / 4] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (size_t w = i / 4; w < words; w++)
        out[w] = 0;
    for (; i < length; i++)
        out[i / 4] |= (uint32_t)bytes[length - 1 - i] << (8 * (i % 4));
    return beyond ? -1 : 0;
}

/* Writes a number of `words` words as `length` bytes. Returns 0, or -1 if it does not fit. */
static inline int number_write(uint8_t *bytes, size_t length, const uint32_t *number, size_t words)
{
    uint32_t beyond = 0;
    for (size_t i = 0; i < length; i++)
        bytes[length - 1 - i] = i < 4 * words ? (uint8_t)(number[i / 4] >> (8 * (i % 4))) : 0;
    for (size_t i = length; i < 4 * words; i++)
        beyond |= number[i / 4] >> (8 * (i % 4)) & 0xff;
    return beyond ? -1 : 0;
}

#endif
