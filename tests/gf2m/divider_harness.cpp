// C interface to one Verilated eccel_gf2m_divider, or eccel_gf2m_generic_divider (GENERIC), for divider.py.
// SPDX-License-Identifier: Apache-2.0
//
// Elements are WORDS little-endian words, in the form of the module's ports.

#include <cstdint>
#include <cstring>
#include <random>

#include "Vunit.h"
#include "elements.h"
#include "verilated.h"

struct job {
    uint32_t y[WORDS], x[WORDS], quotient[WORDS];
    uint32_t gap;  // least number of clocks from done_o of the one before to the start
    uint32_t cycles, none;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    std::mt19937 random{1};
    uint32_t field = 0;
    uint32_t low[WORDS] = {};

    void clock() {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }
    void reset() {
        top.rst_ni = 0;
        for (int i = 0; i < 4; ++i) noise(), clock();
        top.rst_ni = 1;
    }
    void start(const uint32_t *y, const uint32_t *x) {
        noise();
        top.start_i = 1;
#ifdef GENERIC
        top.degree_i = field;
        put(top.low_i, low);
#else
        top.field_i = field;
        put(top.y_i, y);
#endif
        put(top.x_i, x);
        clock();
    }
    // Changes the ports between starts, except those that have to keep their values.
    void noise() {
        uint32_t x[WORDS];
        for (auto &word : x) word = random();
        top.start_i = 0;
        put(top.x_i, x);
#ifdef GENERIC
        put(top.low_i, x);
        top.degree_i = random();
#else
        put(top.y_i, x);
#endif
    }
};

extern "C" {

unit *unit_open() {
    unit *u = new unit;
    u->reset();
    return u;
}
void unit_close(unit *u) { delete u; }

// Selects field number `field` for the next divisions. GENERIC: the degree `field`, with the polynomial's lower part.
void unit_field(unit *u, uint32_t field, const uint32_t *low) {
    u->field = field;
    std::memcpy(u->low, low, sizeof u->low);
}

// A division that a reset ends after so many cycles.
void unit_abort(unit *u, const job *j, uint32_t cycles) {
    u->start(j->y, j->x);
    for (uint32_t i = 0; i < cycles; ++i) u->noise(), u->clock();
    u->reset();
}

// Divisions one after the other. Returns how many cycles had a done_o that nobody asked for, or a quotient after it.
int unit_run(unit *u, job *jobs, int count, uint32_t limit) {
    int wrong = 0;
    for (job *j = jobs; j < jobs + count; ++j) {
        for (uint32_t i = 0; i < j->gap; ++i) {
            u->noise();
            u->clock();
            uint32_t left[WORDS];
            get(u->top.quotient_o, left);
            wrong += u->top.done_o;
            for (uint32_t word : left) wrong += j != jobs && word;
            wrong += j != jobs && u->top.none_o != j[-1].none;
        }
        u->start(j->y, j->x);
        for (j->cycles = 1; !u->top.done_o && j->cycles < limit; ++j->cycles) {
            u->noise();
            u->clock();
        }
        get(u->top.quotient_o, j->quotient);
        j->none = u->top.none_o;
    }
    return wrong;
}

}  // extern "C"
