/* An engine behind the AXI4-Lite shell without an operating system: see eccel.h, "microcontrollers".
   SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"
#include "packet.h"
#include "registers.h"

enum {
    START_WORDS = 2048, /* of entropy at most, before the first job: the start-up test takes 1,024 */
    ATTEMPTS = 8        /* if another window takes the curve away, or entropy comes late */
};

_Static_assert(sizeof((struct eccel_mmio *)0)->packet >= PACKET_LOAD_WORDS * sizeof(uint32_t), "CURVE_LOAD fits");
_Static_assert(sizeof((struct eccel_mmio *)0)->response >= PACKET_RESULT_WORDS * sizeof(uint32_t), "results fit");

static struct registers registers_of(const struct eccel_mmio *device)
{
    return (struct registers){
        .bus = device->io.bus, .base = device->base, .windows = device->windows, .config = device->config};
}

static void feed(const struct eccel_mmio *device, const struct registers *registers, uint32_t status)
{
    if (status & ECCEL_STATUS_ENT_WANTED && device->io.random)
        registers_write(registers, ECCEL_ENT_DATA, device->io.random(device->io.bus.context));
}

/* 1 if the time since `start` is over. */
static int late(const struct eccel_mmio *device, uint32_t start)
{
    return device->io.milliseconds(device->io.bus.context) - start > device->io.timeout_ms;
}

static int clear(struct eccel_mmio *device)
{
    const struct registers window = registers_of(device), *registers = &window;
    uint32_t start = device->io.milliseconds(device->io.bus.context);
    device->curve = NULL;
    device->key = 0;
    registers_clear(registers);
    while (!registers_accept(registers)) {
        if (late(device, start))
            return ECCEL_ERROR_TIMEOUT;
    }
    for (int i = 0; i < START_WORDS && device->io.random; i++)
        feed(device, registers, registers_read(registers, ECCEL_STATUS));
    return 0;
}

int eccel_mmio_open(struct eccel_mmio *device, const struct eccel_mmio_io *io, unsigned window)
{
    memset(device, 0, sizeof *device);
    if (!io->bus.read || !io->bus.write || !io->milliseconds)
        return ECCEL_ERROR_ARGUMENT;
    device->io = *io;
    if (!device->io.timeout_ms)
        device->io.timeout_ms = 10000;
    struct registers registers;
    int error = registers_find(&registers, &io->bus, window);
    if (error)
        return error;
    device->window = window;
    device->windows = registers.windows;
    device->base = registers.base;
    device->config = registers.config;
    return clear(device);
}

void eccel_mmio_close(struct eccel_mmio *device)
{
    eccel_wipe(device, sizeof *device);
}

/* Sends the packet and waits for its response. */
static int exchange(struct eccel_mmio *device, unsigned words, unsigned curve_id)
{
    const struct registers window = registers_of(device), *registers = &window;
    uint32_t start = device->io.milliseconds(device->io.bus.context), status;
    packet_address(device->packet, curve_id, device->tag++ & 0x1fff);
    registers_send(registers, device->packet, words);
    for (;;) {
        status = registers_read(registers, ECCEL_STATUS);
        if (status & (ECCEL_STATUS_CLEARED | ECCEL_STATUS_OVERFLOW) || late(device, start))
            break;
        if (status & ECCEL_STATUS_RSP_VALID) {
            unsigned count = registers_receive(registers, device->response, PACKET_RESULT_WORDS);
            if (packet_answers(device->response, count, device->packet))
                return 0;
            break;
        }
        feed(device, registers, status);
    }
    /* What comes later would belong to another job. */
    int error = clear(device);
    int lost = status & (ECCEL_STATUS_CLEARED | ECCEL_STATUS_OVERFLOW | ECCEL_STATUS_RSP_VALID);
    return error || !lost ? ECCEL_ERROR_TIMEOUT : ECCEL_ERROR_LINK;
}

/* An id that this window has not used for the load before, and that no other window uses. */
static unsigned next_id(struct eccel_mmio *device)
{
    unsigned ids = 256 / device->windows;
    device->curve_id = device->window * ids + (device->curve_id + 1) % ids;
    return device->curve_id;
}

static int load(struct eccel_mmio *device, const eccel_curve *curve)
{
    if (device->curve == curve || (device->curve && curve_equal(device->curve, curve)))
        return 0;
    if (device->key)
        return ECCEL_ERROR_UNSUPPORTED; /* the key goes with its curve: zeroise first */
    device->curve = NULL;
    int error = exchange(device, (unsigned)packet_load(device->packet, curve), next_id(device));
    if (error)
        return error;
    if (packet_status(device->response) == ECCEL_OK)
        device->curve = curve;
    return (int)packet_status(device->response);
}

/* Notes what the response says about the key. */
static void note_key(struct eccel_mmio *device, unsigned op, unsigned flags)
{
    unsigned status = packet_status(device->response);
    if (packet_sets_key(op) && status <= ECCEL_INFINITY)
        device->key = 1;
    if ((op == ECCEL_OP_ZEROISE && status == ECCEL_OK) || status == ECCEL_ZEROISED || status == ECCEL_WATCHDOG ||
        (packet_uses_key(op, flags) && status == ECCEL_NO_KEY))
        device->key = 0;
}

int eccel_mmio_run(struct eccel_mmio *device, const struct eccel_request *request, struct eccel_result *result)
{
    int error = ECCEL_ERROR_ARGUMENT, words = 0, blind = request->options & ECCEL_BLIND_IF_POSSIBLE;
    const eccel_curve *curve = request->curve ? request->curve : device->curve;
    memset(result, 0, sizeof *result);
    if (!packet_needs_curve(request->op) || curve)
        words = packet_request(device->packet, request);
    if (words > 0 && curve && !packet_suits(request->op, curve->kind)) {
        error = ECCEL_BAD_CURVE;
        words = 0;
    }
    for (int attempt = 0; words > 0 && attempt < ATTEMPTS; attempt++) {
        struct eccel_request again = *request;
        again.curve = curve;
        error = packet_needs_curve(request->op) ? load(device, curve) : 0;
        if (error || (words = packet_request(device->packet, &again)) <= 0)
            break;
        if (blind)
            packet_blind(device->packet, 1);
        error = exchange(device, (unsigned)words, device->curve_id);
        if (error)
            break;
        note_key(device, request->op, request->flags);
        size_t bytes = curve ? packet_result_bytes(request->op, request->flags, curve) : 0;
        error = packet_read(result, device->response, device->packet[1] >> 24, bytes);
        if (error)
            break;
        error = result->result;
        if (error == ECCEL_BAD_OP && blind) {
            blind = 0; /* the engine does not blind */
            continue;
        }
        if (error == ECCEL_NO_ENTROPY)
            continue; /* the words came too late */
        if (error != ECCEL_BAD_CURVE && error != ECCEL_BAD_LENGTH)
            break;
        device->curve = NULL; /* another window has loaded a curve: load ours again */
        device->key = 0;
    }
    eccel_wipe(device->packet, sizeof device->packet);
    eccel_wipe(device->response, sizeof device->response);
    return result->result = error;
}
