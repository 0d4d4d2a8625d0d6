/* Frames on a serial port: SLIP as in RFC 1055. See frame.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

enum { SLIP_END = 0xc0, SLIP_ESC = 0xdb, SLIP_ESC_END = 0xdc, SLIP_ESC_ESC = 0xdd };

size_t slip_write(uint8_t *out, const uint8_t *bytes, size_t count)
{
    uint8_t *at = out;
    *at++ = SLIP_END;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == SLIP_END || bytes[i] == SLIP_ESC) {
            *at++ = SLIP_ESC;
            *at++ = bytes[i] == SLIP_END ? SLIP_ESC_END : SLIP_ESC_ESC;
        } else {
            *at++ = bytes[i];
        }
    }
    *at++ = SLIP_END;
    return (size_t)(at - out);
}

int slip_read(struct slip_reader *reader, uint8_t byte)
{
    if (reader->done) {
        reader->count = 0;
        reader->escaped = reader->broken = reader->done = 0;
    }
    if (byte == SLIP_END) {
        reader->done = 1;
        if (reader->broken || reader->escaped)
            return -1;
        return reader->count > 0;
    }
    if (reader->escaped) {
        reader->escaped = 0;
        if (byte != SLIP_ESC_END && byte != SLIP_ESC_ESC)
            reader->broken = 1;
        byte = byte == SLIP_ESC_END ? SLIP_END : SLIP_ESC;
    } else if (byte == SLIP_ESC) {
        reader->escaped = 1;
        return 0;
    }
    if (reader->count == sizeof reader->bytes)
        reader->broken = 1;
    else
        reader->bytes[reader->count++] = byte;
    return 0;
}
