/* DER by hand: two integers in a sequence (RFC 3279, X.690).
   SPDX-License-Identifier: Apache-2.0 */
#include "signature.h"

#include <string.h>
#include <strings.h>

static size_t header_bytes(size_t length)
{
    return length < 128 ? 2 : length < 256 ? 3 : 4;
}

size_t signature_size(size_t order_bytes, unsigned order_bits)
{
    size_t number = order_bytes + (order_bits % 8 == 0); /* a first bit of 1 gets a zero byte before it */
    size_t both = 2 * (header_bytes(number) + number);
    return header_bytes(both) + both;
}

static uint8_t *write_length(uint8_t *out, size_t length)
{
    if (length >= 128)
        *out++ = 0x81; /* no number and no sequence here is longer than 255 bytes */
    *out++ = (uint8_t)length;
    return out;
}

static size_t integer_length(const uint8_t *number, size_t bytes, const uint8_t **start)
{
    while (bytes > 1 && *number == 0) {
        number++;
        bytes--;
    }
    *start = number;
    return bytes + (*number >= 0x80);
}

static uint8_t *write_integer(uint8_t *out, const uint8_t *start, size_t length)
{
    *out++ = 0x02;
    out = write_length(out, length);
    if (*start >= 0x80) {
        *out++ = 0;
        length--;
    }
    memcpy(out, start, length);
    return out + length;
}

size_t signature_encode(const uint8_t *r, const uint8_t *s, size_t bytes, uint8_t *signature)
{
    const uint8_t *r_start, *s_start;
    size_t r_length = integer_length(r, bytes, &r_start), s_length = integer_length(s, bytes, &s_start);
    uint8_t *out = signature;
    *out++ = 0x30;
    out = write_length(out, header_bytes(r_length) + r_length + header_bytes(s_length) + s_length);
    out = write_integer(out, r_start, r_length);
    out = write_integer(out, s_start, s_length);
    return (size_t)(out - signature);
}

/* Reads a header; returns the content and moves *in to it. The length must have its shortest form. */
static bool read_header(const uint8_t **in, const uint8_t *end, uint8_t tag, size_t *length)
{
    const uint8_t *at = *in;
    if (end - at < 2 || *at++ != tag)
        return false;
    *length = *at++;
    if (*length == 0x81) {
        if (at == end || *at < 128)
            return false;
        *length = *at++;
    } else if (*length >= 128) {
        return false; /* indefinite, or longer than any signature */
    }
    *in = at;
    return *length <= (size_t)(end - at);
}

static bool read_integer(const uint8_t **in, const uint8_t *end, uint8_t *number, size_t bytes)
{
    size_t length;
    if (!read_header(in, end, 0x02, &length) || length == 0)
        return false;
    const uint8_t *at = *in;
    *in += length;
    if (at[0] >= 0x80 || (length > 1 && at[0] == 0 && at[1] < 0x80))
        return false; /* negative, or a zero too many */
    if (at[0] == 0) {
        at++;
        length--;
    }
    if (length > bytes)
        return false;
    memset(number, 0, bytes - length);
    memcpy(number + bytes - length, at, length);
    return true;
}

bool signature_decode(const uint8_t *signature, size_t length, uint8_t *r, uint8_t *s, size_t bytes)
{
    const uint8_t *in = signature, *end = signature + length;
    size_t content;
    return read_header(&in, end, 0x30, &content) && in + content == end && read_integer(&in, end, r, bytes) &&
           read_integer(&in, end, s, bytes) && in == end;
}

#define X962(...) {0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, __VA_ARGS__}
#define NIST(last) {0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, last}

static const struct {
    const char *digest;
    uint8_t der[13];
} algorithms[] = {
    {"SHA1", {0x30, 0x09, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01}},
    {"SHA2-224", X962(0x03, 0x01)},
    {"SHA2-256", X962(0x03, 0x02)},
    {"SHA2-384", X962(0x03, 0x03)},
    {"SHA2-512", X962(0x03, 0x04)},
    {"SHA3-224", NIST(0x09)},
    {"SHA3-256", NIST(0x0a)},
    {"SHA3-384", NIST(0x0b)},
    {"SHA3-512", NIST(0x0c)},
};

const uint8_t *signature_algorithm(const char *digest, size_t *length)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (strcasecmp(digest, algorithms[i].digest) == 0) {
            *length = (size_t)algorithms[i].der[1] + 2;
            return algorithms[i].der;
        }
    return NULL;
}

size_t signature_hash_number(const uint8_t *hash, size_t length, unsigned order_bits, uint8_t *e)
{
    size_t bytes = (order_bits + 7) / 8;
    if (length == 0) {
        e[0] = 0;
        return 1;
    }
    if (length < bytes || (length == bytes && order_bits % 8 == 0)) {
        memcpy(e, hash, length);
        return length;
    }
    unsigned shift = (8 - order_bits % 8) % 8;
    for (size_t i = bytes; i-- > 0;)
        e[i] = (uint8_t)(hash[i] >> shift | (i > 0 && shift > 0 ? hash[i - 1] << (8 - shift) : 0));
    return bytes;
}
