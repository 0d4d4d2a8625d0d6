/* The engine that a connection sees. See engine.h for the contract.
   SPDX-License-Identifier: Apache-2.0

   The order of checks is that of the job port (docs/architecture.md, "Status codes"). */
#include "engine.h"

#include "answers.h"
#include "number.h"
#include "packet.h"
#include "slots.h"

#include <string.h>

enum { LAST_OP = 0x2f, ATTRIBUTES = ECCEL_FLAG_NO_SIGN | ECCEL_FLAG_NO_AGREE | ECCEL_FLAG_HOST_NONCE };

/* Answers at once. */
static int refuse(struct connection *connection, uint32_t head, int status)
{
    answers_count(&connection->server->totals, head & 0xff, status != ECCEL_OK);
    answers_send(connection, head, status, NULL, 0);
    return 1;
}

static struct job *prepare(struct connection *connection, uint32_t head, struct curve *curve, enum purpose purpose)
{
    struct server *server = connection->server;
    struct job *job = job_new(&server->jobs);
    if (!job)
        return NULL;
    job->connection = connection;
    job->epoch = connection->epoch;
    job->head = head;
    job->curve = curve;
    job->words = curve ? curve->words : 0;
    job->purpose = purpose;
    if (curve)
        curve->uses++;
    server->active += !connection->in_flight++;
    return job;
}

/* Gives back what `prepare` has taken. */
static void put_away(struct server *server, struct job *job)
{
    if (job->connection)
        server->active -= !--job->connection->in_flight;
    curves_drop(&server->curves, job->curve);
    job_free(job);
}

/* Submits a job. Returns 0 if it has to wait for room, and then the job is gone. */
static int submit(struct connection *connection, struct job *job, const struct eccel_request *request)
{
    struct server *server = connection->server;
    int result = server->backend->submit(server->backend, job, request, job->curve);
    if (!result)
        return 1;
    if (result == ECCEL_ERROR_BUSY && server->jobs.in_flight > 1) {
        put_away(server, job);
        server->full = 1;
        return 0;
    }
    /* With no other job in flight, nothing would ask to try again: BUSY is then a failure. */
    job->result.result = result;
    engine_done(server, job);
    return 1;
}

/* CURVE_LOAD: the curve is there for the jobs that follow at once. It is taken back if the device refuses it. */
static int load_curve(struct connection *connection, const uint32_t *packet, size_t words, unsigned width)
{
    struct server *server = connection->server;
    struct curve **place = &connection->curve[packet[0] >> 8 & 0xff], *curve = NULL;
    uint8_t numbers[2][4 * CURVE_MAX_WORDS] = {{0}};
    if (words != PACKET_HEADER_WORDS + (size_t)CURVE_LOAD_OPERANDS * width) {
        curves_drop(&server->curves, *place);
        *place = NULL;
        return refuse(connection, packet[0], ECCEL_BAD_LENGTH);
    }
    int status = curves_take(&server->curves, packet + PACKET_HEADER_WORDS, width, &curve);
    if (status == ECCEL_OK && !curve->accepted)
        status = server->backend->curve(server->backend, curve);
    if (status != ECCEL_OK || curve->accepted) {
        if (status != ECCEL_OK)
            curves_drop(&server->curves, curve);
        curves_drop(&server->curves, *place);
        *place = status == ECCEL_OK ? curve : NULL;
        return refuse(connection, packet[0], status);
    }
    /* A cheap job finds out: whether G lies on the curve, or 0 + 0 where there is no such job. */
    struct job *job = prepare(connection, packet[0], curve, PURPOSE_CURVE);
    if (!job) {
        curves_drop(&server->curves, curve);
        return refuse(connection, packet[0], ECCEL_ENGINE_FAULT);
    }
    struct eccel_request request = {.op = ECCEL_OP_MOD_ADD, .curve = curve->library, .operands = 2};
    if (curve->kind != ECCEL_MONTGOMERY) {
        request.op = ECCEL_OP_ON_CURVE;
        number_write(numbers[0], sizeof numbers[0], packet + PACKET_HEADER_WORDS + 4 * width, width);
        number_write(numbers[1], sizeof numbers[1], packet + PACKET_HEADER_WORDS + 5 * width, width);
    }
    for (unsigned i = 0; i < 2; i++)
        request.operand[i] = (struct eccel_operand){numbers[i], sizeof numbers[i]};
    curves_drop(&server->curves, *place);
    *place = curve;
    if (submit(connection, job, &request))
        return 1;
    curves_drop(&server->curves, curve);
    *place = NULL;
    return 0;
}

/* A job that changes a key runs when no other job of the connection is under way. */
static int change_key(struct connection *connection, const uint32_t *packet, struct curve *curve,
                      const struct eccel_request *request)
{
    struct server *server = connection->server;
    int zeroise = request->op == ECCEL_OP_ZEROISE;
    if (connection->in_flight)
        return 0;
    int slot = zeroise ? slots_to_wipe(server, connection) : slots_reserve(server, curve);
    if (slot < 0)
        return refuse(connection, packet[0], zeroise ? ECCEL_OK : ECCEL_KEY_REFUSED);
    struct job *job = prepare(connection, packet[0], zeroise ? server->slot[slot].curve : curve,
                              zeroise ? PURPOSE_ZEROISE : PURPOSE_KEY);
    if (!job) {
        slots_failed(server, (unsigned)slot, zeroise);
        return refuse(connection, packet[0], ECCEL_ENGINE_FAULT);
    }
    job->slot = (unsigned)slot;
    connection->exclusive = 1;
    struct eccel_request exact = *request;
    exact.curve = job->curve->library;
    if (submit(connection, job, &exact))
        return 1;
    connection->exclusive = 0;
    slots_failed(server, (unsigned)slot, zeroise);
    return 0;
}

int engine_request(struct connection *connection, const uint32_t *packet, size_t words)
{
    struct server *server = connection->server;
    uint32_t head = packet[0];
    unsigned op = head & 0xff;
    if (words < PACKET_HEADER_WORDS)
        return refuse(connection, head, ECCEL_BAD_LENGTH);
    unsigned width = packet[1] >> 24, flags = packet[1] >> 16 & 0xff, announced = packet[1] & 0xffff;
    struct curve *curve = connection->curve[head >> 8 & 0xff];
    int needs_curve = op != ECCEL_OP_CURVE_LOAD && op != ECCEL_OP_ZEROISE;
    if (connection->exclusive)
        return 0;
    if (width < CURVE_MIN_WORDS || width > server->backend->max_words ||
        (needs_curve && curve && width != curve->words))
        return refuse(connection, head, ECCEL_BAD_LENGTH);
    if (!op || op > LAST_OP || ((flags & ATTRIBUTES) && (op & 15) != 9 && (op & 15) != 10) ||
        ((flags & ECCEL_FLAG_HOST_NONCE) && (flags & ECCEL_FLAG_RANDOM)))
        return refuse(connection, head, ECCEL_BAD_OP);
    if (needs_curve && !curve)
        return refuse(connection, head, ECCEL_BAD_CURVE);
    if (announced != words - PACKET_HEADER_WORDS || announced % width)
        return refuse(connection, head, ECCEL_BAD_LENGTH);
    if (op == ECCEL_OP_CURVE_LOAD)
        return load_curve(connection, packet, words, width);
    int operands = packet_operands(op, flags);
    if (operands < 0)
        return refuse(connection, head, ECCEL_BAD_OP);
    if (curve && needs_curve && !packet_suits(op, curve->kind))
        return refuse(connection, head, ECCEL_BAD_CURVE);
    if (announced != (unsigned)operands * width)
        return refuse(connection, head, ECCEL_BAD_LENGTH);
    if (packet_uses_key(op, flags) && !slots_may_use(server, connection, curve))
        return refuse(connection, head, ECCEL_NO_KEY);

    uint8_t numbers[ECCEL_MAX_OPERANDS][4 * CURVE_MAX_WORDS];
    struct eccel_request request = {
        .op = (uint8_t)op, .flags = (uint8_t)flags, .operands = (unsigned)operands,
        .curve = needs_curve ? curve->library : NULL,
    };
    for (int i = 0; i < operands; i++) {
        number_write(numbers[i], 4 * width, packet + PACKET_HEADER_WORDS + (unsigned)i * width, width);
        request.operand[i] = (struct eccel_operand){numbers[i], 4 * width};
    }
    int taken;
    if (packet_sets_key(op) || op == ECCEL_OP_ZEROISE) {
        taken = change_key(connection, packet, curve, &request);
    } else {
        struct job *job = prepare(connection, head, curve, PURPOSE_ANSWER);
        taken = job ? submit(connection, job, &request) : refuse(connection, head, ECCEL_ENGINE_FAULT);
    }
    eccel_wipe(numbers, sizeof numbers);
    return taken;
}

/* The curve of a CURVE_LOAD was refused: its id has no curve, unless another one was loaded since. */
static void take_back(struct connection *connection, struct job *job)
{
    struct curve **place = &connection->curve[job->head >> 8 & 0xff];
    if (*place == job->curve) {
        curves_drop(&connection->server->curves, *place);
        *place = NULL;
    }
}

void engine_done(struct server *server, struct job *job)
{
    struct connection *connection = job->connection;
    int status = answers_status(server, job), wanted = connection && job->epoch == connection->epoch;
    int alive = wanted && !connection->dead, again = 0;
    if (job->purpose == PURPOSE_CURVE) {
        /* NO_ENTROPY and the like say nothing about the curve. */
        job->curve->accepted |= job->result.result == ECCEL_OK;
        if (status != ECCEL_OK && wanted)
            take_back(connection, job);
    } else if (job->purpose == PURPOSE_KEY) {
        slots_set(server, job->slot, alive ? connection : NULL, status);
        if (connection && !wanted && status == ECCEL_OK)
            slots_release(server, job->slot); /* the connection was reset meanwhile */
    } else if (job->purpose != PURPOSE_ANSWER) {
        slots_wiped(server, job->slot, status);
        if (status == ECCEL_OK && alive && job->purpose == PURPOSE_ZEROISE)
            again = slots_owned(server, connection) >= 0; /* the connection has another key */
    } else if (status == ECCEL_NO_KEY || status == ECCEL_ENGINE_FAULT) {
        slots_check(server, job->curve, status);
    }
    if (connection && (job->purpose == PURPOSE_KEY || job->purpose == PURPOSE_ZEROISE))
        connection->exclusive = 0;
    if (job->purpose != PURPOSE_RELEASE && !again)
        answers_count(&server->totals, job->head & 0xff,
              status != ECCEL_OK && status != ECCEL_INFINITY && status != ECCEL_BAD_SIGNATURE);
    if (alive && again) {
        const uint32_t packet[PACKET_HEADER_WORDS] = {job->head, (uint32_t)CURVE_MIN_WORDS << 24};
        put_away(server, job);
        if (!engine_request(connection, packet, PACKET_HEADER_WORDS))
            refuse(connection, packet[0], ECCEL_ENGINE_FAULT);
        return;
    }
    if (alive)
        answers_send(connection, job->head, status, &job->result, job->words);
    put_away(server, job);
}

void engine_reset(struct connection *connection)
{
    struct server *server = connection->server;
    int slot;
    connection->epoch++;
    for (unsigned id = 0; id < CURVE_IDS; id++) {
        curves_drop(&server->curves, connection->curve[id]);
        connection->curve[id] = NULL;
    }
    while ((slot = slots_owned(server, connection)) >= 0)
        slots_release(server, (unsigned)slot);
}

void engine_end(struct connection *connection)
{
    struct server *server = connection->server;
    for (unsigned id = 0; id < CURVE_IDS; id++) {
        curves_drop(&server->curves, connection->curve[id]);
        connection->curve[id] = NULL;
    }
    slots_disown(server, connection);
}
