/* Answers of the engine that a connection sees. See answers.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include "number.h"
#include "packet.h"
#include "slots.h"

void answers_send(struct connection *connection, uint32_t head, int status, const struct eccel_result *result,
                  unsigned words)
{
    uint32_t packet[PACKET_RESULT_WORDS];
    unsigned values = result && (status == ECCEL_OK || status == ECCEL_INFINITY) ? result->values : 0;
    packet[0] = (uint32_t)status | (head & 0xff) << 8 | (head & 0xffff0000);
    packet[1] = values * words;
    for (unsigned i = 0; i < values; i++)
        if (number_read(packet + PACKET_HEADER_WORDS + i * words, words, result->value[i], result->bytes)) {
            packet[0] = (uint32_t)ECCEL_ENGINE_FAULT | (head & 0xff) << 8 | (head & 0xffff0000);
            packet[1] = 0;
        }
    connection_send(connection, FRAME_RESPONSE, packet, PACKET_HEADER_WORDS + packet[1]);
    eccel_wipe(packet, sizeof packet);
}

int answers_status(const struct server *server, const struct job *job)
{
    int result = job->result.result;
    if (result >= 0)
        return result;
    if (result == ECCEL_ERROR_UNSUPPORTED && slots_keep_out(server, job->curve))
        return job->purpose == PURPOSE_CURVE ? ECCEL_OK : ECCEL_KEY_REFUSED;
    if (result == ECCEL_ERROR_UNSUPPORTED)
        return job->purpose == PURPOSE_CURVE ? ECCEL_BAD_MODULUS : ECCEL_BAD_OP;
    return result == ECCEL_ERROR_ARGUMENT ? ECCEL_BAD_LENGTH : ECCEL_ENGINE_FAULT;
}

void answers_count(struct totals *totals, unsigned op, int failed)
{
    totals->jobs++;
    totals->failed += failed;
    switch (op) {
    case ECCEL_OP_ECDSA_SIGN: totals->sign++; break;
    case ECCEL_OP_ECDSA_VERIFY: totals->verify++; break;
    case ECCEL_OP_ECDH: totals->ecdh++; break;
    case ECCEL_OP_KEYGEN:
    case ECCEL_OP_KEY_LOAD: totals->key++; break;
    default: totals->other++;
    }
}
