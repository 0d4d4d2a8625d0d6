/* Job packets. See packet.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "packet.h"

#include "memory.h"

#include "number.h"

enum { ON_CURVE_POINTS = 1, ON_MONTGOMERY = 2, ON_ANY = 3, WITHOUT = 4 };

struct operation {
    uint8_t op, operands, results;
    uint8_t flag[2], less[2]; /* with this flag, so many operands fewer */
    uint8_t on;
};

static const struct operation operations[] = {
    {ECCEL_OP_MUL, 3, 2, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_BASE_MUL, 1, 2, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_DOUBLE_MUL, 4, 2, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_POINT_ADD, 4, 2, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_ON_CURVE, 2, 0, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_ECDH, 3, 1, {ECCEL_FLAG_KEY, 0}, {1, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_ECDSA_SIGN, 3, 2, {ECCEL_FLAG_KEY, ECCEL_FLAG_RANDOM}, {1, 1}, ON_CURVE_POINTS},
    {ECCEL_OP_ECDSA_VERIFY, 5, 0, {0, 0}, {0, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_KEYGEN, 1, 2, {ECCEL_FLAG_RANDOM, 0}, {1, 0}, ON_CURVE_POINTS},
    {ECCEL_OP_KEY_LOAD, 1, 0, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_MOD_MUL, 2, 1, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_MOD_INV, 1, 1, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_MOD_EXP, 2, 1, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_MOD_ADD, 2, 1, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_MOD_SUB, 2, 1, {0, 0}, {0, 0}, ON_ANY},
    {ECCEL_OP_X_LADDER, 2, 1, {0, 0}, {0, 0}, ON_MONTGOMERY},
    {ECCEL_OP_CURVE_LOAD, CURVE_LOAD_OPERANDS, 0, {0, 0}, {0, 0}, WITHOUT},
    {ECCEL_OP_ZEROISE, 0, 0, {0, 0}, {0, 0}, WITHOUT},
    {ECCEL_OP_SELF_TEST, 0, 0, {0, 0}, {0, 0}, ON_ANY},
};

static const struct operation *find(unsigned op)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (operations[i].op == op)
            return &operations[i];
    }
    return NULL;
}

int packet_operands(unsigned op, unsigned flags)
{
    const struct operation *found = find(op);
    if (!found)
        return -1;
    int count = found->operands;
    for (int i = 0; i < 2; i++)
        count -= found->flag[i] & flags ? found->less[i] : 0;
    return count;
}

unsigned packet_results(unsigned op)
{
    const struct operation *found = find(op);
    return found ? found->results : 0;
}

int packet_needs_curve(unsigned op)
{
    const struct operation *found = find(op);
    return found && found->on != WITHOUT;
}

int packet_sets_key(unsigned op)
{
    return op == ECCEL_OP_KEYGEN || op == ECCEL_OP_KEY_LOAD;
}

int packet_uses_key(unsigned op, unsigned flags)
{
    return flags & ECCEL_FLAG_KEY && (op == ECCEL_OP_ECDH || op == ECCEL_OP_ECDSA_SIGN);
}

int packet_suits(unsigned op, enum eccel_kind kind)
{
    const struct operation *found = find(op);
    if (!found || found->on == WITHOUT)
        return 1;
    return found->on & (kind == ECCEL_MONTGOMERY ? ON_MONTGOMERY : ON_CURVE_POINTS);
}

static int header(uint32_t *out, unsigned op, unsigned flags, unsigned words, unsigned operands)
{
    out[0] = op;
    out[1] = operands * words | flags << 16 | words << 24;
    return PACKET_HEADER_WORDS + (int)(operands * words);
}

int packet_request(uint32_t *out, const struct eccel_request *request)
{
    const unsigned op = request->op, flags = request->flags;
    int operands = packet_operands(op, flags);
    if (operands < 0 || op == ECCEL_OP_CURVE_LOAD || request->operands != (unsigned)operands)
        return ECCEL_ERROR_ARGUMENT;
    if (packet_needs_curve(op) && op != ECCEL_OP_SELF_TEST && !request->curve)
        return ECCEL_ERROR_ARGUMENT;
    unsigned words = request->curve ? request->curve->words : CURVE_MIN_WORDS;
    for (int i = 0; i < operands; i++) {
        const struct eccel_operand *operand = &request->operand[i];
        if ((!operand->bytes && operand->length) ||
            number_read(out + PACKET_HEADER_WORDS + (unsigned)i * words, words, operand->bytes, operand->length))
            return ECCEL_ERROR_ARGUMENT;
    }
    return header(out, op, flags, words, (unsigned)operands);
}

int packet_load(uint32_t *out, const struct eccel_curve *curve)
{
    curve_load_operands(out + PACKET_HEADER_WORDS, curve);
    return header(out, ECCEL_OP_CURVE_LOAD, 0, curve->words, CURVE_LOAD_OPERANDS);
}

int packet_plain(uint32_t *out, unsigned op, unsigned words)
{
    return header(out, op, 0, words, 0);
}

void packet_address(uint32_t *packet, unsigned curve_id, unsigned tag)
{
    packet[0] = (packet[0] & 0xff) | curve_id << 8 | (uint32_t)tag << 16;
}

void packet_blind(uint32_t *packet, int on)
{
    const uint32_t flag = (uint32_t)ECCEL_FLAG_BLIND << 16;
    packet[1] = on ? packet[1] | flag : packet[1] & ~flag;
}

int packet_blinded(const uint32_t *packet)
{
    return packet[1] >> 16 & ECCEL_FLAG_BLIND ? 1 : 0;
}

int packet_repeatable(const uint32_t *packet)
{
    return (packet[0] & 0xff) != ECCEL_OP_KEYGEN || !(packet[1] >> 16 & ECCEL_FLAG_RANDOM);
}

static int known(unsigned status)
{
    return status <= ECCEL_BAD_SIGNATURE || (status >= ECCEL_BAD_OP && status <= ECCEL_KEY_REFUSED) ||
           status == ECCEL_WATCHDOG;
}

int packet_answers(const uint32_t *response, size_t count, const uint32_t *request)
{
    if (count < PACKET_HEADER_WORDS || count != packet_response_words(response) || response[1] >> 16)
        return 0;
    unsigned op = request[0] & 0xff, status = packet_status(response);
    if (packet_tag(response) != packet_tag(request) || (response[0] >> 8 & 0xff) != op || !known(status))
        return 0;
    size_t expected = packet_results(op) * (request[1] >> 24);
    if (op == PACKET_OP_COUNTERS || op == PACKET_OP_RESTART)
        expected = PACKET_COUNTERS_WORDS;
    return count - PACKET_HEADER_WORDS == (status <= ECCEL_INFINITY ? expected : 0);
}

int packet_read(struct eccel_result *result, const uint32_t *response, unsigned words, size_t bytes)
{
    result->result = (int)packet_status(response);
    result->values = (unsigned)(packet_response_words(response) - PACKET_HEADER_WORDS) / words;
    result->bytes = result->values ? bytes : 0;
    for (unsigned i = 0; i < result->values; i++) {
        if (number_write(result->value[i], bytes, response + PACKET_HEADER_WORDS + i * words, words))
            return ECCEL_ERROR_LINK;
    }
    return 0;
}

size_t packet_result_bytes(unsigned op, unsigned flags, const struct eccel_curve *curve)
{
    if (op == ECCEL_OP_ECDSA_SIGN || (op >= ECCEL_OP_MOD_MUL && op <= ECCEL_OP_MOD_SUB && flags & ECCEL_FLAG_MOD_N))
        return eccel_curve_order_bytes(curve);
    return eccel_curve_field_bytes(curve);
}
