/* One window of the AXI4-Lite shell (docs/registers.md): packets through registers.
   SPDX-License-Identifier: Apache-2.0

   Works without an operating system. Waiting is the caller's: these functions look and return. */
#ifndef ECCEL_REGISTERS_H
#define ECCEL_REGISTERS_H

#include "eccel.h"
#include "gen/eccel_regs.h"

struct registers {
    struct eccel_bus bus;
    uint32_t base;    /* of the window */
    unsigned windows; /* of the shell */
    uint32_t config;
};

/* Checks that the shell is there and has this window. Returns 0, or ECCEL_ERROR_ABSENT. */
int registers_find(struct registers *registers, const struct eccel_bus *bus, unsigned window);

uint32_t registers_read(const struct registers *registers, uint32_t offset);
void registers_write(const struct registers *registers, uint32_t offset, uint32_t word);

/* Makes the engine, and the FIFOs of all windows, empty. In a shell with several windows the other ones have jobs: only a
   packet under way is dropped, and nothing is reset. */
void registers_clear(const struct registers *registers);

/* 1 if the shell takes packets, and STATUS.CLEARED is then 0: after registers_clear. */
int registers_accept(const struct registers *registers);

/* Writes a packet. There is room for it if the words of all unanswered requests are at most registers_room. */
void registers_send(const struct registers *registers, const uint32_t *packet, unsigned words);
unsigned registers_room(const struct registers *registers);

/* Reads the response that STATUS.RSP_VALID announces; returns its words, or 0 if there are more than `room`. */
unsigned registers_receive(const struct registers *registers, uint32_t *out, unsigned room);

#endif
