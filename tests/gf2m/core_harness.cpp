// C interface to one Verilated eccel_gf2m_core, for core.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock. Elements are WORDS little-endian words.

#include <cstdint>

#include "Vunit.h"
#include "elements.h"
#include "verilated.h"

struct job {
    uint32_t a[2][WORDS], b[2][WORDS], c[2][WORDS], result[WORDS], after[WORDS];
    uint32_t squares, gap;  // gap: clocks from the start of the one before
    uint8_t take, a_from, b_from, c_take, c_from;
    uint64_t start, addend, result_at, after_at;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;

    void settle() {
        top.clk_i = 0;
        top.eval();
    }
    void rise() {
        valid = top.addend_o;
        top.clk_i = 1;
        top.eval();
        ++now;
    }
    // A result comes in the cycle after addend_o.
    bool valid = false;
    // The field is known two cycles before the first start.
    void field(int number) {
        top.field_i = number;
        for (int i = 0; i < 2; ++i) settle(), rise();
    }
};

// The numbers of core.py, and the bits of from_t.
enum { Nothing, File, Result, After };
static int from(int source, int take) {
    return source == File ? 1 << take : source == Result ? 4 : source == After ? 8 : 0;
}

extern "C" {

unit *unit_open() {
    unit *u = new unit;
    u->top.rst_ni = 0;
    u->top.start_i = 0;
    for (int i = 0; i < 4; ++i) u->settle(), u->rise();
    u->top.rst_ni = 1;
    return u;
}
void unit_close(unit *u) { delete u; }

// Runs operations in one field. Returns the number of results that nobody asked for, or -1 if some are missing.
int unit_run(unit *u, int field, job *jobs, int count, uint64_t limit) {
    u->field(field);
    const uint64_t end = u->now + limit;
    uint64_t due = u->now + jobs[0].gap;
    int next = 0, addends = 0, results = 0, afters = 0, extra = 0, behind = 0;
    auto &top = u->top;
    while (u->now < end && behind < 100) {
        top.start_i = next < count && u->now >= due;
        const job &fed = jobs[next < count ? next : 0];
        for (int i = 0; i < 2; ++i) {
            put(top.a_i[i], fed.a[i]);
            put(top.b_i[i], fed.b[i]);
        }
        top.a_from_i = from(fed.a_from, fed.take);
        top.b_from_i = top.start_i ? from(fed.b_from, fed.take) : 0;
        if (top.start_i) {
            jobs[next++].start = u->now;
            due = u->now + (next < count ? jobs[next].gap : 0);
        }
        const job &added = jobs[addends < count ? addends : 0];
        for (int i = 0; i < 2; ++i) put(top.c_i[i], added.c[i]);
        top.c_from_i = top.addend_o ? from(added.c_from, added.c_take) : 0;
        top.squares_i = added.squares;
        top.many_i = added.squares > 1;
        u->settle();
        if (u->valid) {
            if (results == count) return extra + 1;
            jobs[results].result_at = u->now;
            get(top.result_o, jobs[results++].result);
        }
        if (top.after_valid_o) {
            if (afters == count) return extra + 1;
            jobs[afters].after_at = u->now;
            get(top.after_o, jobs[afters++].after);
        }
        if (top.addend_o) {
            if (addends == count) return extra + 1;
            jobs[addends++].addend = u->now;
        }
        u->rise();
        behind += afters == count;
    }
    return afters == count && results == count ? extra : -1;
}

}  // extern "C"
