// C interface to one Verilated eccel_solinas_core, for core.py.
// SPDX-License-Identifier: Apache-2.0
//
// A clock is: settle with the clock low, sample the outputs, raise the clock. Values are little-endian words of
// WORD_BITS bits, WORDS of them.

#include <cstdint>
#include <cstring>

#include "Vunit.h"
#include "verilated.h"

constexpr int DIGIT_BITS = WORD_BITS / 2;
constexpr int DIGITS = 2 * WORDS;
constexpr uint32_t DIGIT_MASK = (1u << DIGIT_BITS) - 1;
#ifdef KARATSUBA
constexpr int FAR = WORDS / 2 - 2;  // clocks from a digit of the lower half of b to the same one of the upper half
#endif

struct job {
    uint32_t x[WORDS], y[WORDS], r[WORDS];
    uint32_t gap;   // clocks from the start of the one before
    uint8_t kind;   // sums: 0 add, 1 subtract, 2 canonical
    uint64_t start, first;
};

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
    uint64_t now = 0;
};

// One stream of jobs: the one that is being fed, and the one that is coming out.
struct stream {
    job *jobs;
    int count, next = 0, fed = -1, at = 0, last_at = 0, out = -1, word = 0;
    uint64_t due;

    stream(job *j, int n, uint64_t now) : jobs(j), count(n), due(now + (n ? j[0].gap : 0)) {}

    bool start(uint64_t now) {
        ++at;
        if (next == count || now < due) return false;
        fed = next++;
        last_at = at;  // clocks from the start of the one before
        at = 0;
        jobs[fed].start = now;
        due = now + (next < count ? jobs[next].gap : 0);
        return true;
    }
    // Takes an output word. Returns false if no output is expected.
    void take(bool first, uint32_t value, uint64_t now, int &extra) {
        if (first) {
            if (out >= 0 && word < WORDS) ++extra;
            if (++out >= count) { ++extra; return; }
            word = 0;
            jobs[out].first = now;
        }
        if (out >= 0 && out < count && word < WORDS) jobs[out].r[word++] = value;
    }
    bool done() const { return out == count - 1 && (count == 0 || word == WORDS); }
};

static uint32_t digit(const uint32_t *x, int i) { return x[i / 2] >> (i % 2 ? DIGIT_BITS : 0) & DIGIT_MASK; }

// A value that nobody may use.
static uint32_t noise(uint64_t now) { return static_cast<uint32_t>(now * 2654435761u >> 7); }

#ifdef KARATSUBA
// The digits of b that are wanted so many clocks after the start, the upper one on top.
static uint32_t two_digits(const uint32_t *y, int at, uint64_t now) {
    uint32_t near = noise(now) & DIGIT_MASK, far = noise(now + 1) & DIGIT_MASK;
    if (at < DIGITS) near = digit(y, at % WORDS);
    if (at >= FAR && at < FAR + DIGITS) far = digit(y, WORDS + (at - FAR) % WORDS);
    return far << DIGIT_BITS | near;
}
#endif

template <typename Port>
static void put_wide(Port &port, const uint32_t *x) {
    uint64_t bits = 0;
    for (int i = 0; i < LANES; ++i) {
        const uint64_t value = digit(x, i);
        const int at = i * DIGIT_BITS;
#if LANES * WORD_BITS / 2 > 64
        for (int b = 0; b < DIGIT_BITS; ++b) {
            const int p = at + b;
            if (value >> b & 1) port[p / 32] |= 1u << p % 32;
            else port[p / 32] &= ~(1u << p % 32);
        }
#else
        bits |= value << at;
#endif
    }
#if LANES * WORD_BITS / 2 <= 64
    port = bits;
#endif
}

extern "C" {

unit *unit_open() {
    unit *u = new unit;
    u->top.rst_ni = 0;
    u->top.mul_start_i = u->top.sum_first_i = 0;
    for (int i = 0; i < 4; ++i) {
        u->top.clk_i = 0;
        u->top.eval();
        u->top.clk_i = 1;
        u->top.eval();
    }
    u->top.rst_ni = 1;
    return u;
}
void unit_close(unit *u) { delete u; }

// Runs products and sums in parallel. Returns the number of results that nobody asked for, or -1 if some are missing.
int unit_run(unit *u, job *products, int n_products, job *sums, int n_sums, uint64_t limit) {
    stream mul(products, n_products, u->now), sum(sums, n_sums, u->now);
    const uint64_t end = u->now + limit;
    int extra = 0;
    [[maybe_unused]] bool wide = false;
    while (u->now < end && !(mul.done() && sum.done())) {
#ifdef KARATSUBA
        u->top.mul_start_i = mul.start(u->now);
        uint32_t a[WORDS];
        for (int i = 0; i < WORDS; ++i) {  // the upper half comes later, and none stays longer than it has to
            const bool here = mul.fed >= 0 && mul.at >= (2 * i < WORDS ? 0 : FAR + 1) && mul.at <= FAR + 1 + WORDS;
            a[i] = here ? products[mul.fed].x[i] : noise(u->now + i);
        }
        put_wide(u->top.a_i, a);
        static const uint32_t zero[WORDS] = {};
        u->top.b_digit_i = mul.fed >= 0 ? two_digits(products[mul.fed].y, mul.at, u->now) : two_digits(zero, 0, 0);
        // The last upper digits come when the next product has begun.
        if (mul.fed > 0 && mul.at < FAR && mul.last_at + mul.at < FAR + DIGITS) {
            const uint32_t far = two_digits(products[mul.fed - 1].y, mul.last_at + mul.at, u->now) >> DIGIT_BITS;
            u->top.b_digit_i = far << DIGIT_BITS | (u->top.b_digit_i & DIGIT_MASK);
        }
#else
        if (wide) put_wide(u->top.a_i, products[mul.fed].x);
        u->top.mul_start_i = wide = mul.start(u->now);
        u->top.b_digit_i = mul.fed >= 0 && mul.at < DIGITS ? digit(products[mul.fed].y, mul.at) : 0;
#endif
        u->top.sum_first_i = sum.start(u->now);
        u->top.sum_pass_i = !u->top.sum_first_i;
        if (sum.fed >= 0 && sum.at < WORDS) {
            const job &j = sums[sum.fed];
            u->top.sub_i = j.kind == 1;
            u->top.add_i = j.kind != 1;
            u->top.canon_i = j.kind == 2 && sum.at == 0;
            u->top.x_i = j.x[sum.at];
            u->top.y_i = j.y[sum.at];
        } else {  // any value between operations
            u->top.sub_i = u->now & 1;
            u->top.add_i = !u->top.sub_i;
            u->top.canon_i = 1;
            u->top.x_i = u->top.y_i = static_cast<uint32_t>(u->now * 2654435761u) & ((1ull << WORD_BITS) - 1);
        }
        u->top.clk_i = 0;
        u->top.eval();
        mul.take(u->top.mul_first_o, u->top.mul_word_o, u->now, extra);
        sum.take(u->top.sum_first_o, u->top.sum_word_o, u->now, extra);
        u->top.clk_i = 1;
        u->top.eval();
        ++u->now;
    }
    for (int i = 0; i < 100; ++i) {  // all results have come: nothing may follow
        u->top.mul_start_i = u->top.sum_first_i = 0;
        u->top.clk_i = 0;
        u->top.eval();
        extra += u->top.mul_first_o + u->top.sum_first_o;
        u->top.clk_i = 1;
        u->top.eval();
        ++u->now;
    }
    return mul.done() && sum.done() ? extra : -1;
}

#if WORD_BITS * WORDS <= 32 && !defined KARATSUBA
// Runs every product of two values below 2^bits at full rate, and checks 0 <= r < 2^bits. Returns the number of wrong ones.
int unit_exhaust(unit *u, int bits, uint32_t p) {
    const uint32_t size = 1u << bits;
    const uint32_t word_mask = (1u << WORD_BITS) - 1;
    const uint64_t count = static_cast<uint64_t>(size) * size;
    uint64_t next = 0, out = 0;
    uint32_t value = 0;
    int at = DIGITS, word = WORDS, wrong = 0;
    uint32_t x = 0, y = 0;
    for (uint64_t clocks = 0; out < count && clocks < count * DIGITS + 1000; ++clocks) {
        u->top.a_i = x;
        u->top.mul_start_i = 0;
        if (at == DIGITS && next < count) {
            x = static_cast<uint32_t>(next / size);
            y = static_cast<uint32_t>(next % size);
            ++next;
            at = 0;
            u->top.mul_start_i = 1;
        }
        u->top.b_digit_i = at < DIGITS ? y >> at * DIGIT_BITS & DIGIT_MASK : 0;
        if (at < DIGITS) ++at;
        u->top.clk_i = 0;
        u->top.eval();
        if (u->top.mul_first_o) word = 0, value = 0;
        if (word < WORDS) {
            value |= (u->top.mul_word_o & word_mask) << word * WORD_BITS;
            if (++word == WORDS) {
                const uint64_t want = (out / size) * (out % size) % p;
                wrong += value >= size || value % p != want;
                ++out;
            }
        }
        u->top.clk_i = 1;
        u->top.eval();
    }
    return out == count ? wrong : -1;
}
#endif

}  // extern "C"
