/* Frames of docs/links.md. See frame.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

#include <string.h>

/* The CRC is linear: the entry of a byte is the sum of the entries of its bits. Table k is for a byte that is followed
   by k more ones, so that four bytes are taken at once. */
#define CRC_1(n, a, b, c, d, e, f, g, h)                                                                              \
    (((n)&1 ? a : 0u) ^ ((n)&2 ? b : 0u) ^ ((n)&4 ? c : 0u) ^ ((n)&8 ? d : 0u) ^ ((n)&16 ? e : 0u) ^                  \
     ((n)&32 ? f : 0u) ^ ((n)&64 ? g : 0u) ^ ((n)&128 ? h : 0u))
#define CRC_4(n, ...)                                                                                                 \
    CRC_1(n, __VA_ARGS__), CRC_1((n) + 1, __VA_ARGS__), CRC_1((n) + 2, __VA_ARGS__), CRC_1((n) + 3, __VA_ARGS__)
#define CRC_16(n, ...)                                                                                                \
    CRC_4(n, __VA_ARGS__), CRC_4((n) + 4, __VA_ARGS__), CRC_4((n) + 8, __VA_ARGS__), CRC_4((n) + 12, __VA_ARGS__)
#define CRC_64(n, ...)                                                                                                \
    CRC_16(n, __VA_ARGS__), CRC_16((n) + 16, __VA_ARGS__), CRC_16((n) + 32, __VA_ARGS__), CRC_16((n) + 48, __VA_ARGS__)
#define CRC_TABLE(...)                                                                                                \
    {                                                                                                                 \
        CRC_64(0, __VA_ARGS__), CRC_64(64, __VA_ARGS__), CRC_64(128, __VA_ARGS__), CRC_64(192, __VA_ARGS__)           \
    }

static const uint32_t crc_table[4][256] = {
    CRC_TABLE(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832, 0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320),
    CRC_TABLE(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08, 0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b),
    CRC_TABLE(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8, 0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80),
    CRC_TABLE(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef, 0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b),
};

static uint32_t word_of(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *out, uint32_t word)
{
    out[0] = (uint8_t)word;
    out[1] = (uint8_t)(word >> 8);
    out[2] = (uint8_t)(word >> 16);
    out[3] = (uint8_t)(word >> 24);
}

uint32_t frame_crc(const uint8_t *bytes, size_t count)
{
    uint32_t crc = ~UINT32_C(0);
    for (; count >= 4; count -= 4, bytes += 4) {
        crc ^= word_of(bytes);
        crc = crc_table[3][crc & 0xff] ^ crc_table[2][crc >> 8 & 0xff] ^ crc_table[1][crc >> 16 & 0xff] ^
              crc_table[0][crc >> 24];
    }
    for (; count; count--)
        crc = crc_table[0][(crc ^ *bytes++) & 0xff] ^ crc >> 8;
    return ~crc;
}

size_t frame_write(uint8_t *out, enum frame_type type, const uint32_t *content, size_t words)
{
    put_word(out, (uint32_t)type | (uint32_t)FRAME_VERSION << 8 | (uint32_t)words << 16);
    for (size_t i = 0; i < words; i++)
        put_word(out + 4 + 4 * i, content[i]);
    put_word(out + 4 + 4 * words, frame_crc(out, 4 + 4 * words));
    return frame_bytes(words);
}

/* The number of words of content that the first word of a frame announces, or an error. */
static int announced(uint32_t head, size_t *words)
{
    uint32_t type = head & 0xff;
    if ((head >> 8 & 0xff) != FRAME_VERSION || type < FRAME_REQUEST || type > FRAME_COUNTERS)
        return FRAME_MALFORMED;
    *words = head >> 16;
    size_t most = type == FRAME_REQUEST    ? FRAME_REQUEST_WORDS
                  : type == FRAME_RESPONSE ? FRAME_RESPONSE_WORDS
                                           : FRAME_CONTENT_WORDS;
    return *words > most ? FRAME_TOO_LONG : FRAME_WHOLE;
}

enum frame_found frame_decode(const uint8_t *bytes, size_t count, struct frame *frame, uint32_t *content)
{
    size_t words;
    if (count < frame_bytes(0) || count % 4)
        return FRAME_MALFORMED;
    if (count > FRAME_BYTES)
        return FRAME_TOO_LONG;
    /* The CRC comes first: with a wrong one, the other fields say nothing. */
    if (word_of(bytes + count - 4) != frame_crc(bytes, count - 4))
        return FRAME_BAD_CRC;
    uint32_t head = word_of(bytes);
    int found = announced(head, &words);
    if (found != FRAME_WHOLE)
        return (enum frame_found)found;
    if (count != frame_bytes(words))
        return FRAME_MALFORMED;
    for (size_t i = 0; i < words; i++)
        content[i] = word_of(bytes + 4 + 4 * i);
    *frame = (struct frame){.type = (enum frame_type)(head & 0xff), .words = words, .content = content};
    return FRAME_WHOLE;
}

uint8_t *frame_reader_space(struct frame_reader *reader, size_t *room)
{
    uint8_t *store = (uint8_t *)reader->store;
    if (reader->begin == reader->end) {
        reader->begin = reader->end = 0;
    } else if (FRAME_READER_BYTES - reader->end < FRAME_BYTES) {
        memmove(store, store + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    *room = FRAME_READER_BYTES - reader->end;
    return store + reader->end;
}

void frame_reader_added(struct frame_reader *reader, size_t count)
{
    reader->end += count;
}

enum frame_found frame_reader_next(struct frame_reader *reader, struct frame *frame)
{
    /* Frames are whole words, and the first one begins at word 0: content is aligned. */
    uint8_t *bytes = (uint8_t *)reader->store + reader->begin;
    size_t have = reader->end - reader->begin, words;
    if (have < 4)
        return FRAME_NONE;
    uint32_t head = word_of(bytes);
    int found = announced(head, &words);
    if (found != FRAME_WHOLE)
        return (enum frame_found)found;
    if (have < frame_bytes(words))
        return FRAME_NONE;
    if (word_of(bytes + 4 + 4 * words) != frame_crc(bytes, 4 + 4 * words))
        return FRAME_BAD_CRC;
    uint32_t *content = reader->store + reader->begin / 4 + 1;
    for (size_t i = 0; i < words; i++)
        content[i] = word_of((const uint8_t *)&content[i]);
    *frame = (struct frame){.type = (enum frame_type)(head & 0xff), .words = words, .content = content};
    reader->begin += frame_bytes(words);
    return FRAME_WHOLE;
}

void frame_reader_wipe(struct frame_reader *reader)
{
    memset(reader->store, 0, reader->begin);
    __asm__ volatile("" : : "r"(reader) : "memory");
}
