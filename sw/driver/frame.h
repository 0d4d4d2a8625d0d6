/* Frames of docs/links.md: how packets travel over sockets and serial ports.
   SPDX-License-Identifier: Apache-2.0

   A writer makes the bytes of one frame. A reader takes bytes as they come and gives whole frames with a correct CRC.
   The SLIP functions wrap and unwrap a frame for a serial port. No function allocates memory. */
#ifndef ECCEL_FRAME_H
#define ECCEL_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum frame_type {
    FRAME_REQUEST = 0x01,
    FRAME_RESPONSE = 0x02,
    FRAME_HELLO = 0x03,
    FRAME_STATUS = 0x04,
    FRAME_ENTROPY = 0x05,
    FRAME_CONTROL = 0x06,
    FRAME_ERROR = 0x07,
    FRAME_COUNTERS = 0x08
};

enum frame_control { FRAME_CONTROL_RESET = 1, FRAME_CONTROL_ZEROISE = 2 };

enum frame_error_word { FRAME_ERROR_CRC = 1, FRAME_ERROR_MALFORMED = 2, FRAME_ERROR_LONG = 3, FRAME_ERROR_ROOM = 4 };

/* Bits of word 2 of STATUS. */
#define FRAME_STATUS_ENT_WANTED UINT32_C(0x001)
#define FRAME_STATUS_CLEARED UINT32_C(0x002)
#define FRAME_STATUS_BUSY UINT32_C(0x004)
#define FRAME_STATUS_SERVER UINT32_C(0x100)
#define FRAME_STATUS_PACED UINT32_C(0x200)

enum {
    FRAME_VERSION = 1,
    FRAME_REQUEST_WORDS = 160, /* the longest content of a request */
    FRAME_RESPONSE_WORDS = 64, /* and of a response */
    FRAME_CONTENT_WORDS = 256, /* and of any frame that a reader takes */
    FRAME_BYTES = 4 * (FRAME_CONTENT_WORDS + 2),
    FRAME_SLIP_BYTES = 2 * FRAME_BYTES + 2,
    FRAME_READER_BYTES = 16384
};

/* A frame that a reader found. The content lies in the reader, in the byte order of the host, until the next call of
   frame_reader_space. */
struct frame {
    enum frame_type type;
    size_t words;
    const uint32_t *content;
};

/* What frame_reader_next and frame_decode found. */
enum frame_found {
    FRAME_NONE = 0, /* more bytes are needed */
    FRAME_WHOLE = 1,
    FRAME_BAD_CRC = -1,
    FRAME_MALFORMED = -2, /* unknown version or type, or a length that does not match */
    FRAME_TOO_LONG = -3
};

/* CRC-32 as in zlib, of `bytes`. */
uint32_t frame_crc(const uint8_t *bytes, size_t count);

/* Number of bytes of a frame with so many words of content. */
static inline size_t frame_bytes(size_t words)
{
    return 4 * (words + 2);
}

/* Writes a frame to `out`, which has room for frame_bytes(words) bytes, and returns that number. words is at most
   FRAME_CONTENT_WORDS. */
size_t frame_write(uint8_t *out, enum frame_type type, const uint32_t *content, size_t words);

/* Checks the `count` bytes of one frame and gives its content in `content` (room for FRAME_CONTENT_WORDS words, may
   not overlap `bytes`). Returns FRAME_WHOLE or an error. */
enum frame_found frame_decode(const uint8_t *bytes, size_t count, struct frame *frame, uint32_t *content);

/* Bytes of a stream that are not yet frames. Set it to zero before use. */
struct frame_reader {
    size_t begin, end;
    uint32_t store[FRAME_READER_BYTES / 4];
};

/* Where the next bytes of the stream go, and for how many there is room: at least FRAME_BYTES if frame_reader_next
   has returned FRAME_NONE. */
uint8_t *frame_reader_space(struct frame_reader *reader, size_t *room);

/* Says that `count` bytes were put there. */
void frame_reader_added(struct frame_reader *reader, size_t count);

/* The next frame of the stream. After an error the stream cannot be used any more. */
enum frame_found frame_reader_next(struct frame_reader *reader, struct frame *frame);

/* Overwrites what was taken out of the reader: it may have been results of jobs. */
void frame_reader_wipe(struct frame_reader *reader);

/* Wraps the bytes of one frame for a serial port. `out` has room for 2 * count + 2 bytes. Returns their number. */
size_t slip_write(uint8_t *out, const uint8_t *bytes, size_t count);

/* Unwraps the bytes of a serial port, one at a time. Set it to zero before use. */
struct slip_reader {
    size_t count;  /* bytes of the frame so far */
    int escaped;   /* the byte before was 0xDB */
    int broken;    /* the frame is too long or has an unknown escape: wait for the next one */
    int done;      /* the last byte ended a frame: the next one begins a new one */
    uint8_t bytes[FRAME_BYTES];
};

/* Takes one byte. Returns 1 if it ended a frame that is not empty: its bytes are bytes[0..count-1] until the next
   call. Returns -1 if it ended a frame that is broken, 0 otherwise. */
int slip_read(struct slip_reader *reader, uint8_t byte);

#endif
