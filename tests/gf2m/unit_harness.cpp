// C interface to one Verilated eccel_gf2m_unit, for unit.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock. Elements are WORDS little-endian words.

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

struct request {
    uint64_t operation;
    uint32_t gap;  // clocks from the acceptance of the one before to the offer
    uint8_t step, take, divide;
    uint64_t accepted;
};

struct register_write {
    uint64_t clock;
    uint32_t reg;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;

    void divide(bool divide) {
#ifndef WIDE
        top.divide_i = divide;
#endif
    }
    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
        ++now;
    }
};

extern "C" {

unit *unit_open() {
    unit *u = new unit;
    u->top.rst_ni = 0;
    u->divide(0);
    u->top.valid_i = u->top.port_begin_i = u->top.port_shift_i = u->top.port_write_i = u->top.port_read_i = 0;
    for (int i = 0; i < 4; ++i) u->clock();
    u->top.rst_ni = 1;
    return u;
}
void unit_close(unit *u) { delete u; }

void unit_field(unit *u, int field, int degree) {
    u->top.field_i = field;
    u->top.degree_i = degree;
    for (int i = 0; i < 4; ++i) u->clock();
}

void unit_load(unit *u, int reg, const uint32_t *words) {
    u->top.port_begin_i = 1;
    u->clock();
    u->top.port_begin_i = 0;
    u->top.port_shift_i = 1;
    for (int i = 0; i < WORDS; ++i) {
        u->top.port_wdata_i = words[i];
        u->clock();
    }
    u->top.port_shift_i = 0;
    u->top.port_write_i = 1;
    u->top.port_reg_i = reg;
    u->clock();
    u->top.port_write_i = 0;
}

void unit_store(unit *u, int reg, uint32_t *words) {
    u->top.port_reg_i = reg;
    for (int i = 0; i < 2; ++i) u->clock();
    u->top.port_read_i = 1;
    u->clock();
    u->top.port_read_i = 0;
    u->top.port_shift_i = 1;
    for (int i = 0; i < WORDS; ++i) {
        u->top.clk_i = 0;
        u->top.eval();
        words[i] = u->top.port_rdata_o;
        u->clock();
    }
    u->top.port_shift_i = 0;
}

int unit_zero(unit *u) {
    u->top.clk_i = 0;
    u->top.eval();
    return u->top.zero_o;
}

// Runs requests to the end. Returns the number of writes, of which at most `most` are noted, or -1 if the unit hangs.
int unit_run(unit *u, request *requests, int count, register_write *writes, int most, uint64_t limit) {
    const uint64_t end = u->now + limit;
    uint64_t due = u->now + (count ? requests[0].gap : 0);
    int next = 0, written = 0;
    while (u->now < end) {
        const bool offer = next < count && u->now >= due;
        u->top.valid_i = offer;
        if (offer) {
            u->top.operation_i = requests[next].operation;
            u->top.step_i = requests[next].step;
            u->top.take_i = requests[next].take;
            u->divide(requests[next].divide);
        }
        u->top.clk_i = 0;
        u->top.eval();
        if (u->top.done_o) {
            if (written < most) writes[written] = {u->now, u->top.rd_o};
            ++written;
        }
        if (offer && u->top.ready_o) {
            requests[next++].accepted = u->now;
            due = u->now + (next < count ? requests[next].gap : 0);
        }
        const bool idle = next == count && !offer && u->top.idle_o;
        u->clock();
        if (idle) return written;
    }
    return -1;
}

}  // extern "C"
