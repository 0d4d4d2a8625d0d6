// C interface to one Verilated eccel_scalar_stream, for test_stream.py.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};

    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }
};

extern "C" {

void unit_reset(unit *u) {
    u->top.rst_ni = 0;
    u->top.zeroise_i = u->top.loading_i = u->top.we_i = u->top.start_i = u->top.take_i = 0;
    for (int i = 0; i < 4; ++i) u->clock();
    u->top.rst_ni = 1;
}
unit *unit_open() {
    unit *u = new unit;
    unit_reset(u);
    return u;
}
void unit_close(unit *u) { delete u; }

void unit_idle(unit *u, int clocks) {
    for (int i = 0; i < clocks; ++i) u->clock();
}

void unit_zeroise(unit *u) {
    u->top.zeroise_i = 1;
    u->clock();
    u->top.zeroise_i = 0;
}

// Offers the words of a scalar, or of the constant, as soon as it may, with `gap` clocks before each one. Returns the
// clocks for which it had to wait.
int unit_load(unit *u, int constant, const uint32_t *words, int count, int gap) {
    int waited = 0;
    for (; u->top.clearing_o; ++waited) u->clock();
    u->top.loading_i = 1;
    u->top.constant_i = constant;
    u->top.at_i = 0;
    u->clock();
    for (int at = 0; at < count; ++at) {
        for (int i = 0; i < gap; ++i) u->clock();
        u->top.at_i = at + 1;
        u->top.we_i = 1;
        u->top.word_i = words[at];
        u->clock();
        u->top.we_i = 0;
    }
    u->clock();
    u->top.loading_i = 0;
    u->clock();
    u->top.constant_i = !constant;
    return waited;
}

// Asks for the bits `count` to 0, at most one every `gap` clocks, with zeroise_i at the bit numbered `zeroise`. Gives the
// number of bits that come, and the clocks from the first to the last; -1 if the stream hangs.
int unit_run(unit *u, int count, int gap, int zeroise, uint8_t *bits, int *clocks) {
    u->top.count_i = count;
    for (int i = 0; i < 4; ++i) u->clock();
    u->top.start_i = 1;
    u->clock();
    u->top.start_i = 0;
    int came = 0, due = 0, first = 0;
    for (int now = 0; now < 100000; ++now) {
        u->top.clk_i = 0;
        u->top.eval();
        u->top.zeroise_i = 0;
        u->top.take_i = u->top.valid_o && now >= due;
        if (u->top.take_i) {
            if (!came) first = now;
            bits[came++] = u->top.bit_o;
            u->top.zeroise_i = came == zeroise;
            due = now + gap;
        }
        u->top.eval();
        const bool last = u->top.last_o;
        u->clock();
        if (last) {
            u->top.take_i = 0;
            *clocks = now - first;
            return came;
        }
    }
    return -1;
}

}  // extern "C"
