// C interface to one Verilated eccel_gf2m_generic_mul, for generic_multiplier.py.
// SPDX-License-Identifier: Apache-2.0
//
// Products at full rate and with gaps, each compared with shift and add. Elements are WORDS little-endian words here, and at
// the upper end of the PORT_BITS coefficients of the module's ports.

#include <cstdint>
#include <deque>
#include <random>

#include "Vunit.h"
#include "elements.h"
#include "verilated.h"

struct element {
    uint32_t w[WORDS] = {};

    bool bit(int i) const { return w[i / 32] >> i % 32 & 1; }
    void set(int i) { w[i / 32] |= 1u << i % 32; }
    bool operator==(const element &other) const {
        for (int i = 0; i < WORDS; ++i)
            if (w[i] != other.w[i]) return false;
        return true;
    }
    void add(const element &other) {
        for (int i = 0; i < WORDS; ++i) w[i] ^= other.w[i];
    }
    // The product with z^n, n >= 0, without the bits above the PORT_BITS coefficients.
    element up(int n) const {
        element result;
        for (int i = n; i < PORT_BITS; ++i)
            if (bit(i - n)) result.set(i);
        return result;
    }
};

struct expected {
    element product;
    uint64_t soon;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;
    int m = 0;
    element low;

    void settle() {
        top.clk_i = 0;
        top.eval();
    }
    void rise() {
        top.clk_i = 1;
        top.eval();
        ++now;
    }
    element multiply(const element &a, const element &b) const {
        element sum;
        for (int i = m - 1; i >= 0; --i) {
            const bool over = sum.bit(m - 1);
            element next;
            for (int j = WORDS - 1; j > 0; --j) next.w[j] = sum.w[j] << 1 | sum.w[j - 1] >> 31;
            next.w[0] = sum.w[0] << 1;
            if (m % 32) next.w[m / 32] &= ~(1u << m % 32);
            sum = next;
            if (over) sum.add(low);
            if (b.bit(i)) sum.add(a);
        }
        return sum;
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

// Selects the polynomial z^m + low. Returns the cycles of a product.
int unit_polynomial(unit *u, int m, const uint32_t *low) {
    u->m = m;
    for (int i = 0; i < WORDS; ++i) u->low.w[i] = low[i];
    u->top.degree_i = m;
    put(u->top.low_i, u->low.up(PORT_BITS - m).w);
    for (int i = 0; i < 4; ++i) u->settle(), u->rise();
    return u->top.interval_o;
}

// Runs all products (degrees up to 8), or so many of random operands and those at the edge. Returns how many are wrong or
// late.
int unit_products(unit *u, int count, int seed) {
    std::mt19937 random(seed);
    std::deque<expected> due;
    const int m = u->m, interval = u->top.interval_o;
    const int all = count ? count : 1 << 2 * m;
    uint64_t free = u->now;
    int next = 0, wrong = 0, behind = 0;
    bool compare = false;
    element product;
    auto &top = u->top;
    auto draw = [&] {
        element x;
        const int kind = random() % 8;
        for (int i = 0; i < m; ++i)
            if (kind == 0 ? i + 1 == m : kind == 1 ? i == 0 : kind == 2 || random() & 1) x.set(i);
        return x;
    };
    while (behind < interval + 10) {
        top.start_i = next < all && u->now >= free;
        top.one_i = 0;
        element b;
        if (top.start_i) {
            element a;
            if (count) {
                a = draw();
                b = draw();
            } else {
                a.w[0] = next >> m;
                b.w[0] = next & ((1 << m) - 1);
            }
            due.push_back({u->multiply(a, b), u->now + interval + 5});
            put(top.a_i, a.up(PORT_BITS - m).w);
            element one;
            one.set(0);
            if (b == one && next % 2) {
                top.one_i = 1;
                b = element();
            }
            free = u->now + interval + (random() % 4 ? 0 : random() % (interval + 4));
            ++next;
        }
        put(top.b_i, b.up(PORT_BITS - m).w);
        u->settle();
        element result;
        if (compare) {
            get(top.result_o, result.w);
            wrong += !(result == product);
        }
        compare = top.soon_o;
        if (compare) {
            if (due.empty()) return all;
            get(top.next_o, result.w);
            product = due.front().product.up(PORT_BITS - m);
            wrong += !(result == product) || due.front().soon != u->now;
            due.pop_front();
        }
        behind += next == all;
        u->rise();
    }
    return wrong + due.size();
}

}  // extern "C"
