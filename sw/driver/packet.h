/* Job packets (docs/architecture.md, "Job packet"). No other C code knows their format.
   SPDX-License-Identifier: Apache-2.0

   Works without an operating system. Every response is checked completely: tag, operation, number of words, reserved
   bits, and whether its status is known. */
#ifndef ECCEL_PACKET_H
#define ECCEL_PACKET_H

#include "curve.h"

enum {
    PACKET_HEADER_WORDS = 2,
    PACKET_LOAD_WORDS = PACKET_HEADER_WORDS + CURVE_LOAD_OPERANDS * CURVE_MAX_WORDS, /* the longest request */
    PACKET_RESULT_WORDS = PACKET_HEADER_WORDS + ECCEL_MAX_RESULTS * CURVE_MAX_WORDS, /* the longest response */
    PACKET_COUNTERS_WORDS = 5
};

/* Operations of the dispatcher of a cluster. The curve id is the number of an engine. */
enum packet_dispatcher_op { PACKET_OP_COUNTERS = 0x40, PACKET_OP_RESTART = 0x41 };

/* Number of operands of a request, -1 if there is no such operation. */
int packet_operands(unsigned op, unsigned flags);

/* Number of results of a response with status OK or INFINITY. */
unsigned packet_results(unsigned op);

/* 1 if the operation needs a curve, 1 if it sets the key of the slot, 1 if it uses that key. */
int packet_needs_curve(unsigned op);
int packet_sets_key(unsigned op);
int packet_uses_key(unsigned op, unsigned flags);

/* 1 if the operation can be done on a curve of this kind. */
int packet_suits(unsigned op, enum eccel_kind kind);

/* Checks a request and writes its packet, with tag and curve id 0, to `out` (room for PACKET_LOAD_WORDS words). Returns
   the number of words, or ECCEL_ERROR_ARGUMENT. */
int packet_request(uint32_t *out, const struct eccel_request *request);

/* The packet of CURVE_LOAD, and one without operands: both with tag and curve id 0. Both return the number of words. */
int packet_load(uint32_t *out, const struct eccel_curve *curve);
int packet_plain(uint32_t *out, unsigned op, unsigned words);

/* Puts tag and curve id into the header of a request. */
void packet_address(uint32_t *packet, unsigned curve_id, unsigned tag);

/* Sets or clears the flag BLIND of a request; 1 if it is set. */
void packet_blind(uint32_t *packet, int on);
int packet_blinded(const uint32_t *packet);

/* 1 if a request whose response was lost may be sent again. KEYGEN may not if the engine draws the key: the response to
   the first request would belong to a key that the second one has replaced. */
int packet_repeatable(const uint32_t *packet);

/* The tag of a response or request. */
static inline unsigned packet_tag(const uint32_t *packet)
{
    return packet[0] >> 16;
}

/* The status of a response. */
static inline unsigned packet_status(const uint32_t *packet)
{
    return packet[0] & 0xff;
}

/* Number of words of a response whose header is there. */
static inline size_t packet_response_words(const uint32_t *packet)
{
    return PACKET_HEADER_WORDS + (packet[1] & 0xffff);
}

/* 1 if `response` of `count` words is a well-formed response to the request (header words only are read), 0 if not. */
int packet_answers(const uint32_t *response, size_t count, const uint32_t *request);

/* Reads the results of a response that packet_answers accepts: `bytes` is the length of each value. Returns 0, or
   ECCEL_ERROR_LINK if a value is longer. */
int packet_read(struct eccel_result *result, const uint32_t *response, unsigned words, size_t bytes);

/* Length in bytes of the results of an operation on a curve. */
size_t packet_result_bytes(unsigned op, unsigned flags, const struct eccel_curve *curve);

#endif
