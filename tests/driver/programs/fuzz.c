/* Random and damaged bytes for everything that reads what others have sent.
   SPDX-License-Identifier: Apache-2.0

   fuzz ROUNDS SEED    Exit code 0 if a whole frame always comes back as it was written, however it is cut into pieces,
   and if no damaged one is taken for a frame. The sanitizers watch the memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "packet.h"

static uint64_t state;

static uint32_t next(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z ^ z >> 31);
}

static uint32_t below(uint32_t bound)
{
    return next() % bound;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Frames in a stream that is cut anywhere. With `damage`, one bit of one of them changes: it must be noticed. */
static void stream(int damage)
{
    static struct frame_reader reader;
    static uint8_t bytes[8 * FRAME_BYTES];
    uint32_t content[8][FRAME_CONTENT_WORDS];
    size_t words[8], end = 0, at = 0;
    unsigned frames = 1 + below(8), seen = 0;
    memset(&reader, 0, sizeof reader);
    for (unsigned i = 0; i < frames; i++) {
        words[i] = below(FRAME_RESPONSE_WORDS + 1);
        for (size_t w = 0; w < words[i]; w++)
            content[i][w] = below(4) ? next() : below(2) ? 0 : UINT32_MAX;
        end += frame_write(bytes + end, FRAME_RESPONSE, content[i], words[i]);
    }
    if (damage)
        bytes[below((uint32_t)end)] ^= (uint8_t)(1u << below(8));
    while (at < end) {
        struct frame frame;
        enum frame_found found;
        size_t room, count = 1 + below(300);
        uint8_t *space = frame_reader_space(&reader, &room);
        count = count > room ? room : count > end - at ? end - at : count;
        memcpy(space, bytes + at, count);
        frame_reader_added(&reader, count);
        at += count;
        while ((found = frame_reader_next(&reader, &frame)) == FRAME_WHOLE) {
            if (seen == frames || frame.type != FRAME_RESPONSE || frame.words != words[seen] ||
                memcmp(frame.content, content[seen], 4 * frame.words))
                fail("a frame is not what was written");
            seen++;
        }
        if (found != FRAME_NONE && !damage)
            fail("a good frame is refused");
        if (found != FRAME_NONE)
            return; /* the stream is given up */
        frame_reader_wipe(&reader);
    }
    if (!damage && seen != frames)
        fail("a frame is missing");
    if (damage && seen == frames)
        fail("a damaged frame was accepted");
}

/* A frame in SLIP, after noise; then noise alone. */
static void serial(void)
{
    static struct slip_reader reader;
    uint8_t plain[FRAME_BYTES], wire[FRAME_SLIP_BYTES];
    uint32_t content[FRAME_CONTENT_WORDS], back[FRAME_CONTENT_WORDS];
    struct frame frame;
    size_t words = below(FRAME_RESPONSE_WORDS + 1);
    memset(&reader, 0, sizeof reader);
    for (size_t i = 0; i < words; i++)
        content[i] = below(2) ? next() : UINT32_C(0xdbc0dbc0);
    size_t bytes = frame_write(plain, FRAME_RESPONSE, content, words), length = slip_write(wire, plain, bytes);
    for (uint32_t noise = below(3000); noise; noise--)
        (void)slip_read(&reader, (uint8_t)next());
    int found = 0;
    for (size_t i = 0; i < length; i++) {
        found = slip_read(&reader, wire[i]);
        if (found == 1 && reader.count == bytes && !memcmp(reader.bytes, plain, bytes))
            break;
    }
    if (found != 1 || frame_decode(reader.bytes, reader.count, &frame, back) != FRAME_WHOLE || frame.words != words ||
        memcmp(back, content, 4 * words))
        fail("a frame in SLIP is not what was written");
    reader.bytes[below((uint32_t)bytes)] ^= (uint8_t)(1u << below(8));
    if (frame_decode(reader.bytes, bytes, &frame, back) == FRAME_WHOLE)
        fail("a damaged frame in SLIP was accepted");
    (void)frame_decode(plain, below((uint32_t)bytes + 1), &frame, back);
}

/* Any words as a response to any request: whatever is accepted can be read. */
static void response(void)
{
    uint32_t request[2], words[2 + 2 * FRAME_RESPONSE_WORDS];
    struct eccel_result result;
    const eccel_curve *curve = eccel_curve_at(below((uint32_t)catalogue_size));
    uint8_t op = (uint8_t)below(0x44);
    request[0] = op | next() << 16;
    request[1] = curve->words << 24;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = next();
    words[0] = (request[0] & 0xffff0000u) | (uint32_t)op << 8 | (below(2) ? 0 : below(0x40));
    words[1] = below(3) ? packet_results(op) * curve->words : below(200);
    size_t count = below(3) ? packet_response_words(words) : below(120);
    if (count > sizeof words / sizeof *words || !packet_answers(words, count, request) || op >= 0x40)
        return;
    (void)packet_read(&result, words, curve->words, packet_result_bytes(op, 0, curve));
    if (result.values > ECCEL_MAX_RESULTS || result.bytes > ECCEL_MAX_BYTES)
        fail("a response has more than fits");
}

/* Requests with operands of any length. */
static void request(void)
{
    uint32_t packet[PACKET_LOAD_WORDS];
    static uint8_t bytes[ECCEL_MAX_OPERANDS][200];
    struct eccel_request asked = {.op = (uint8_t)next(), .flags = (uint8_t)next(), .operands = below(7)};
    asked.curve = below(8) ? eccel_curve_at(below((uint32_t)catalogue_size)) : NULL;
    if (below(2))
        asked.op = (uint8_t)below(0x20);
    for (unsigned i = 0; i < ECCEL_MAX_OPERANDS; i++) {
        asked.operand[i].length = below(4) ? below(90) : below(200);
        asked.operand[i].bytes = bytes[i];
        memset(bytes[i], below(4) ? 0 : 0xff, sizeof bytes[i]);
    }
    int words = packet_request(packet, &asked);
    if (words > PACKET_LOAD_WORDS)
        fail("a request is too long");
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    state = strtoull(arguments[2], NULL, 10);
    for (long rounds = atol(arguments[1]); rounds; rounds--) {
        stream(0);
        stream(1);
        serial();
        for (int i = 0; i < 20; i++) {
            response();
            request();
        }
    }
    puts("done");
    return 0;
}
