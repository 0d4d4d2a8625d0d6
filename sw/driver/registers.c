/* One window of the AXI4-Lite shell. See registers.h for the contract.
   SPDX-License-Identifier: Apache-2.0 */
#include "registers.h"

#include "packet.h"

uint32_t registers_read(const struct registers *registers, uint32_t offset)
{
    return registers->bus.read(registers->bus.context, registers->base + offset);
}

void registers_write(const struct registers *registers, uint32_t offset, uint32_t word)
{
    registers->bus.write(registers->bus.context, registers->base + offset, word);
}

static uint32_t field(uint32_t word, uint32_t mask, unsigned shift)
{
    return (word & mask) >> shift;
}

int registers_find(struct registers *registers, const struct eccel_bus *bus, unsigned window)
{
    registers->bus = *bus;
    registers->base = 0; /* window 0 is always there */
    if (registers_read(registers, ECCEL_ID) != ECCEL_ID_VALUE)
        return ECCEL_ERROR_ABSENT;
    registers->config = registers_read(registers, ECCEL_CONFIG);
    registers->windows = 1u << field(registers->config, ECCEL_CONFIG_WINDOWS_LOG2, ECCEL_CONFIG_WINDOWS_LOG2_SHIFT);
    if (window >= registers->windows)
        return ECCEL_ERROR_ABSENT;
    registers->base = ECCEL_WINDOW(window);
    return 0;
}

unsigned registers_room(const struct registers *registers)
{
    return (1u << field(registers->config, ECCEL_CONFIG_FIFO_LOG2, ECCEL_CONFIG_FIFO_LOG2_SHIFT)) - 2;
}

void registers_clear(const struct registers *registers)
{
    registers_write(registers, ECCEL_STATUS, ECCEL_STATUS_CLEARED | ECCEL_STATUS_OVERFLOW);
    registers_write(registers, ECCEL_CONTROL, registers->windows > 1 ? ECCEL_CONTROL_DROP : ECCEL_CONTROL_RESET);
}

int registers_accept(const struct registers *registers)
{
    uint32_t status = registers_read(registers, ECCEL_STATUS);
    int ready = (status & ECCEL_STATUS_REQ_READY) != 0;
    if (registers->windows == 1) {
        ready = ready && status & ECCEL_STATUS_CLEARED;
    } else if (status & ECCEL_STATUS_RSP_VALID) { /* of a job of an earlier owner of the window */
        uint32_t word;
        (void)registers_receive(registers, &word, 1);
        ready = 0;
    } else {
        ready = ready && !(status & ECCEL_STATUS_BUSY);
    }
    if (ready) /* also a reset by another master: nothing of this one was lost */
        registers_write(registers, ECCEL_STATUS, ECCEL_STATUS_CLEARED);
    return ready;
}

void registers_send(const struct registers *registers, const uint32_t *packet, unsigned words)
{
    for (unsigned i = 0; i + 1 < words; i++)
        registers_write(registers, ECCEL_REQ_DATA, packet[i]);
    registers_write(registers, ECCEL_REQ_LAST, packet[words - 1]);
}

unsigned registers_receive(const struct registers *registers, uint32_t *out, unsigned room)
{
    uint32_t header[PACKET_HEADER_WORDS];
    for (unsigned i = 0; i < PACKET_HEADER_WORDS; i++)
        header[i] = registers_read(registers, ECCEL_RSP_DATA);
    unsigned total = (unsigned)packet_response_words(header);
    for (unsigned i = 0; i < total; i++) {
        uint32_t word = i < PACKET_HEADER_WORDS ? header[i] : registers_read(registers, ECCEL_RSP_DATA);
        if (i < room)
            out[i] = word;
    }
    return total <= room ? total : 0;
}
