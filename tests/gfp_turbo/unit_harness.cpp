// C interface to one Verilated eccel_gfp_turbo, for unit.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock. Inputs that must have no effect are noise.

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

struct instruction {
    uint32_t op, rd, ra, rb, sel;
    uint64_t offered, accepted;  // clocks since the start of the program
};
struct event {
    uint64_t clock;
    uint32_t thread, rd;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;
    uint32_t noise = 1;

    uint32_t random() { return noise = noise * 1664525u + 1013904223u; }
    void settle() {
        top.clk_i = 0;
        top.eval();
    }
    void tick() {
        top.clk_i = 1;
        top.eval();
        ++now;
        top.valid_i = top.port_start_i = 0;
        top.op_i = random() >> 28;
        top.rd_i = random() >> 26;
        top.ra_i = random() >> 26;
        top.rb_i = random() >> 26;
        top.sel_i = (random() >> 16) & ((1u << THREADS) - 1);
        top.port_we_i = random() >> 31;
        top.port_thread_i = random() >> 16 & (THREADS - 1);
        top.port_reg_i = random() >> 26;
        top.port_wdata_i = top.idle_o ? random() : 0;
    }
};

extern "C" {

unit *unit_open() {
    unit *u = new unit;
    u->top.rst_ni = 0;
    u->tick();
    for (int i = 0; i < 4; ++i) {
        u->settle();
        u->tick();
    }
    u->top.rst_ni = 1;
    return u;
}
void unit_close(unit *u) { delete u; }

// Moves one register. Returns the clocks from the start until idle_o, or -1.
int unit_port(unit *u, int write, int thread, int reg, uint32_t *words) {
    for (int i = 0; i < 1000; ++i) {
        u->settle();
        if (u->top.idle_o) break;
        u->tick();
    }
    u->top.port_start_i = 1;
    u->top.port_we_i = write;
    u->top.port_thread_i = thread;
    u->top.port_reg_i = reg;
    for (int clock = 0; clock < 1000; ++clock) {
        const int sent = clock - PORT_WRITE, got = clock - PORT_READ;
        if (write && sent >= 0 && sent < WORDS) u->top.port_wdata_i = words[sent];
        u->settle();
        if (!write && got >= 0 && got < WORDS) words[got] = u->top.port_rdata_o;
        if (clock > 0 && u->top.idle_o) return clock;
        u->tick();
    }
    return -1;
}

// Runs a program, and notes done events and the clock of idle_o. Returns the number of events, or -1.
int unit_run(unit *u, instruction *program, int count, event *events, int most, uint64_t limit, uint64_t *idle) {
    int next = 0, found = 0;
    for (uint64_t clock = 0; clock < limit; ++clock) {
        const bool offer = next < count && clock >= program[next].offered;
        if (offer) {
            const instruction &i = program[next];
            u->top.valid_i = 1;
            u->top.op_i = i.op;
            u->top.rd_i = i.rd;
            u->top.ra_i = i.ra;
            u->top.rb_i = i.rb;
            u->top.sel_i = i.sel;
        }
        u->settle();
        if (u->top.done_o) {
            if (found == most) return -1;
            events[found++] = {clock, u->top.thread_o, u->top.rd_o};
        }
        if (next == count && u->top.idle_o) {
            *idle = clock;
            return found;
        }
        if (offer && u->top.ready_o) program[next++].accepted = clock;
        u->tick();
    }
    return -1;
}

void unit_flags(unit *u, uint32_t *zero, uint32_t *carry) {
    u->settle();
    *zero = u->top.zero_o;
    *carry = u->top.carry_o;
}

}  // extern "C"
