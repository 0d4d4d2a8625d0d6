// C interface to one Verilated eccel_gf2m_mul, for multiplier.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock. Elements are WORDS little-endian words.

#include <cstdint>
#include <cstring>

#include "Vunit.h"
#include "elements.h"
#include "verilated.h"

struct job {
    uint32_t a[WORDS], b[WORDS], r[WORDS];
    uint32_t gap;  // clocks from the start of the one before
    uint64_t start, valid;
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
        valid = top.soon_o;
        top.clk_i = 1;
        top.eval();
        ++now;
    }
    // A result comes in the cycle after soon_o.
    bool valid = false;
    // The field is known two cycles before the first start.
    void field(int number) {
        top.field_i = number;
        for (int i = 0; i < 2; ++i) settle(), rise();
    }
};

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

// Runs products of one field. Returns the number of results that nobody asked for or that did not stay, or -1 if some are
// missing.
int unit_run(unit *u, int field, job *jobs, int count, uint64_t limit) {
    const uint64_t end = u->now + limit;
    u->field(field);
    uint64_t due = u->now + (count ? jobs[0].gap : 0);
    int next = 0, out = 0, wrong = 0, after = 0;
    while (u->now < end && after < 100) {
        const bool start = next < count && u->now >= due;
        u->top.start_i = start;
        if (start) {
            put(u->top.a_i, jobs[next].a);
            put(u->top.b_i, jobs[next].b);
            jobs[next++].start = u->now;
            due = u->now + (next < count ? jobs[next].gap : 0);
        } else {  // any value between starts; b is 0
            uint32_t noise[WORDS];
            for (int i = 0; i < WORDS; ++i) noise[i] = static_cast<uint32_t>((u->now + i) * 2654435761u);
            put(u->top.a_i, noise);
            std::memset(noise, 0, sizeof noise);
            put(u->top.b_i, noise);
        }
        u->settle();
        if (u->valid) {
            if (out == count) return wrong + 1;
            jobs[out].valid = u->now;
            get(u->top.result_o, jobs[out++].r);
        } else if (out) {
            uint32_t now[WORDS];
            get(u->top.result_o, now);
            wrong += std::memcmp(now, jobs[out - 1].r, sizeof now) != 0;
        }
        u->rise();
        after += out == count;
    }
    return out == count ? wrong : -1;
}

#if WORDS == 1
// Runs every product of two elements below 2^m at full rate, compared with a table. Returns the number of wrong ones.
int unit_exhaust(unit *u, int field, int m, int interval, const uint32_t *table) {
    const uint32_t count = 1u << 2 * m;
    uint32_t next = 0, out = 0, wrong = 0;
    u->field(field);
    for (uint64_t clocks = 0; out < count && clocks < static_cast<uint64_t>(count) * interval + 1000; ++clocks) {
        u->top.start_i = next < count && clocks % interval == 0;
        if (u->top.start_i) {
            u->top.a_i = next >> m;
            u->top.b_i = next & ((1u << m) - 1);
            ++next;
        } else {
            u->top.b_i = 0;
        }
        u->settle();
        if (u->valid) wrong += u->top.result_o != table[out++];
        u->rise();
    }
    return out == count ? wrong : -1;
}
#endif

}  // extern "C"
