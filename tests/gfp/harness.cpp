// C interface to one Verilated field unit or digit multiplier, for unit.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock.

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;

    void settle() {
        top.clk_i = 0;
        top.eval();
    }
    void rise() {
        top.clk_i = 1;
        top.eval();
        ++now;
    }
    void clock() {
        settle();
        rise();
    }
};

#ifdef FIELD_UNIT
struct field_op {
    uint8_t code, sel, rd, ra, rb, wait;  // wait: until the unit is idle after it, then sample the flags
    uint16_t gap;                         // cycles from the last acceptance to the offer, at least 2: it is shown a cycle before
};
struct field_event {
    uint64_t accepted, done, idle;
    uint8_t rd, zero, carry;
};
#endif

extern "C" {

unit *unit_open() { return new unit; }
void unit_close(unit *u) { delete u; }

#ifdef FIELD_UNIT

void unit_start(unit *u, int words, int modulus) {
    u->top.rst_ni = 0;
    for (int i = 0; i < 4; ++i) u->clock();
    u->top.rst_ni = 1;
    u->top.words_i = words;
    for (int i = 0; i < 4; ++i) u->clock();
    u->top.mod_i = modulus;
    u->top.mod_set_i = 1;
    u->clock();
    u->top.mod_set_i = 0;
    for (int i = 0; i < 6; ++i) u->clock();
}

void unit_write(unit *u, int reg, const uint64_t *digits, int count) {
    u->top.port_we_i = 1;
    for (int i = 0; i < count; ++i) {
        u->top.port_addr_i = reg << INDEX_BITS | i;
        u->top.port_wdata_i = digits[i];
        u->clock();
    }
    u->top.port_we_i = 0;
    u->top.port_re_i = 1;
    u->top.port_wdata_i = 0;
}

void unit_read(unit *u, int reg, uint64_t *digits, int count) {
    for (int i = 0; i < count; ++i) {
        u->top.port_addr_i = reg << INDEX_BITS | i;
        u->clock();
        u->clock();
        u->settle();
        digits[i] = u->top.port_rdata_o;
        u->rise();
    }
}

// Runs a stream of operations until the unit is idle. Returns the operations done, fewer than count after `limit` cycles.
int unit_run(unit *u, const field_op *ops, int count, field_event *events, uint64_t limit) {
    const uint64_t end = u->now + limit;
    int issued = 0, done = 0, waits = -1;
    uint64_t last = u->now - 1;
    while (u->now < end && (done < count || waits >= 0 || !u->top.idle_o)) {
        const bool offer = issued < count && waits < 0 && u->now >= last + ops[issued].gap;
        if (issued < count) {
            u->top.op_i = ops[issued].code;
            u->top.sel_i = ops[issued].sel;
            u->top.rd_i = ops[issued].rd;
            u->top.ra_i = ops[issued].ra;
            u->top.rb_i = ops[issued].rb;
        }
        u->top.valid_i = offer;
        u->settle();
        if (u->top.done_o && done < count) {
            events[done].done = u->now;
            events[done++].rd = u->top.rd_o;
        }
        if (waits >= 0 && u->now > last + 1 && u->top.idle_o) {
            events[waits].idle = u->now;
            events[waits].zero = u->top.zero_o;
            events[waits].carry = u->top.carry_o;
            waits = -1;
            last = u->now - 2;  // an operation offered from here on meets an empty unit
        }
        if (offer && u->top.ready_o) {
            events[issued].accepted = last = u->now;
            if (ops[issued].wait) waits = issued;
            ++issued;
        }
        u->rise();
    }
    u->top.valid_i = 0;
    for (int i = 0; i < 4; ++i) u->clock();
    return done;
}

#else

// One pair a[i], b[i] in each clock; out[i] is the output `latency` clocks later.
void unit_products(unit *u, const uint64_t *a, const uint64_t *b, uint64_t *out, int count, int latency) {
    for (int i = 0; i < count + latency; ++i) {
        u->top.a_i = a[i < count ? i : 0];
        u->top.b_i = b[i < count ? i : 0];
#ifdef LOW_HALF
        u->top.en_i = 1;
#else
        u->top.b_en_i = 1;
        u->top.a_clr_i = 0;
#endif
        u->settle();
        if (i >= latency) out[i - latency] = u->top.p_o;
        u->rise();
    }
}

#endif

}  // extern "C"
