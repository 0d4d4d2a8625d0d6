// C interface to one Verilated eccel_comb, for comb_unit.py. One call is one clock.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

struct inputs {
    uint32_t reset, rewind, scan, wait, stop, bits, take, issue;
};
struct outputs {
    uint32_t busy, pos, due, serves, on, half, keep, word, we, wdata;
};
struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
};

extern "C" {

// The table is read from the current folder.
unit *unit_open() { return new unit; }

void unit_close(unit *u) { delete u; }

// Outputs settle with these inputs, then the clock rises.
void unit_clock(unit *u, const inputs *in, outputs *out) {
    Vunit &t = u->top;
    t.clk_i = 0;
    t.rst_ni = !in->reset;
    t.rewind_i = in->rewind;
    t.scan_i = in->scan;
    t.wait_i = in->wait;
    t.stop_i = in->stop;
    t.bit_i = in->bits;
    t.take_i = in->take;
    t.issue_i = in->issue;
    t.eval();
    *out = {t.busy_o, t.pos_o, t.due_o, t.serves_o, t.on_o, t.half_o, t.keep_o, t.word_o, t.we_o, t.wdata_o};
    t.clk_i = 1;
    t.eval();
}
}
