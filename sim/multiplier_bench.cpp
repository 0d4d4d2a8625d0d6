// Test bench of a multiplier with the interface of rtl/mul or rtl/modmul.
//
// It checks every product, that ready_o is low for exactly Interval - 1 clocks after an acceptance, that valid_o
// is high in exactly the clock that lies Latency clocks after one, and that a reset drops what is on the way.
// All products run twice: as fast as the unit accepts them, and with random gaps in which the operands change.
// A unit with BENCH_SLOTS has a slot for a product in every Interval clocks while others are on the way: after a
// gap its ready_o may be low for up to Interval - 1 clocks more.
//
// bench_top.h names the top, the port of the product and the stable inputs, and products.h has the lines of work:
//     set NAME HEX      a stable input, such as the modulus; products on the way leave first
//     mul A B PRODUCT   in hexadecimal
// With an argument, the lines are read from that file instead. Exit code 0 if everything is as it should be.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "bench_top.h"
#include "products.h"
#include "verilated.h"

namespace {

struct Work {
    std::string name;  // of a stable input; empty for a product
    std::string a, b, product;
};

struct Due {
    uint64_t clock;
    const Work *work;
};

[[noreturn]] void fail(const std::string &what) {
    std::printf("FAIL: %s\n", what.c_str());
    std::exit(1);
}

// Word `at` of 32 bits of a hexadecimal number.
uint32_t word_of(const std::string &hex, size_t at) {
    const size_t end = hex.size() - std::min(hex.size(), 8 * at), begin = end - std::min<size_t>(end, 8);
    return end ? static_cast<uint32_t>(std::strtoul(hex.substr(begin, end - begin).c_str(), nullptr, 16)) : 0;
}

template <class Port>
void put(Port &port, const std::string &hex) {
    if constexpr (std::is_integral_v<Port>) {
        port = static_cast<Port>(word_of(hex, 0) | static_cast<uint64_t>(word_of(hex, 1)) << 32);
    } else {
        for (size_t i = 0; i < sizeof(port) / 4; ++i) port[i] = word_of(hex, i);
    }
}

// The value without leading zeros.
template <class Port>
std::string get(const Port &port) {
    std::string text;
    char word[9];
    for (size_t i = (sizeof(port) + 3) / 4; i-- > 0;) {
        uint32_t value;
        if constexpr (std::is_integral_v<Port>) {
            value = static_cast<uint32_t>(static_cast<uint64_t>(port) >> (32 * i));
        } else {
            value = port[i];
        }
        std::snprintf(word, sizeof word, "%08x", value);
        text += word;
    }
    const size_t first = text.find_first_not_of('0');
    return first == std::string::npos ? "0" : text.substr(first);
}

class Bench {
  public:
    explicit Bench(Top *top) : top_(top) {
        reset(4);
        latency_ = top_->latency_o;
        interval_ = top_->interval_o;
        if (latency_ < 1 || interval_ < 1) fail("latency_o or interval_o is 0");
    }

    uint64_t latency() const { return latency_; }
    uint64_t interval() const { return interval_; }

    void run(const std::vector<Work> &works, bool gaps) {
        streaming_ = false;
        for (const Work &work : works) {
            if (!work.name.empty()) {
                drain();
                set(work);
                continue;
            }
            while (gaps && random_() % 4 == 0) idle();
            put(top_->a_i, work.a);
            put(top_->b_i, work.b);
            top_->valid_i = 1;
            while (!clock(&work)) {
            }
            streaming_ = !gaps;
        }
        drain();
    }

    // A product that is on the way when the unit is reset never comes out.
    void drop(const Work &work) {
        put(top_->a_i, work.a);
        put(top_->b_i, work.b);
        top_->valid_i = 1;
        while (!clock(&work)) {
        }
        for (uint64_t i = random_() % latency_; i > 0; --i) idle();
        reset(1);
        drain();
    }

  private:
    void set(const Work &work) {
#define BENCH_SET(port) \
    if (work.name == #port) { \
        put(top_->port, work.a); \
        return; \
    }
        BENCH_STABLE(BENCH_SET)
        fail("the top has no stable input " + work.name);
    }

    void edge() {
        top_->clk_i = 1;
        top_->eval();
        top_->clk_i = 0;
        top_->eval();
        ++clocks_;
    }

    void reset(int clocks) {
        top_->rst_i = 1;
        top_->valid_i = 0;
        for (int i = 0; i < clocks; ++i) edge();
        top_->rst_i = 0;
        due_.clear();
        free_at_ = clocks_;
        low_ = 0;
        top_->eval();
    }

    void idle() {
        streaming_ = false;
        top_->valid_i = 0;
        put(top_->a_i, noise());
        put(top_->b_i, noise());
        clock(nullptr);
    }

    std::string noise() {
        char text[9];
        std::snprintf(text, sizeof text, "%08x", static_cast<uint32_t>(random_()));
        return text;
    }

    // Until every product has come out, and the unit has had time to show one too many.
    void drain() {
        for (uint64_t i = 0; i < latency_ + interval_ + 4; ++i) idle();
    }

    // One clock. Outputs are read before its edge. Returns whether `work` was accepted.
    bool clock(const Work *work) {
        top_->eval();
        const bool ready = top_->ready_o, expected = clocks_ >= free_at_;
        low_ = expected && !ready ? low_ + 1 : 0;
        const uint64_t most = BENCH_SLOTS && !streaming_ ? interval_ - 1 : 0;
        if (ready && !expected) fail("ready_o is high too early");
        if (low_ > most) fail("ready_o is low too long");
        const bool due = !due_.empty() && due_.front().clock == clocks_;
        if (top_->valid_o != due) fail(due ? "valid_o is late" : "valid_o is high without a product");
        if (due) {
            const Work &want = *due_.front().work;
            const std::string product = get(top_->BENCH_RESULT);
            if (product != want.product) {
                fail(want.a + " * " + want.b + " is " + want.product + ", not " + product);
            }
            due_.pop_front();
        }
        const bool accepted = work && ready;
        if (accepted) {
            due_.push_back({clocks_ + latency_, work});
            free_at_ = clocks_ + interval_;
        }
        edge();
        return accepted;
    }

    Top *top_;
    std::mt19937 random_{1};
    std::deque<Due> due_;
    uint64_t clocks_ = 0, free_at_ = 0, low_ = 0, latency_ = 1, interval_ = 1;
    bool streaming_ = false;  // the last product was offered without a gap, and so is this one
};

Work parse(const std::string &line) {
    std::istringstream words(line);
    std::string verb;
    Work work;
    words >> verb;
    if (verb == "set") {
        words >> work.name >> work.a;
    } else {
        words >> work.a >> work.b >> work.product;
    }
    if (words.fail() || (verb != "set" && verb != "mul")) fail("not a line of work: " + line);
    return work;
}

}  // namespace

int main(int argc, char **argv) {
    std::vector<Work> works;
    size_t products = 0;
    if (argc > 1) {
        std::ifstream file(argv[1]);
        if (!file) fail(std::string("cannot read ") + argv[1]);
        for (std::string line; std::getline(file, line);) works.push_back(parse(line));
    } else {
        for (const char *line : kProducts) works.push_back(parse(line));
    }
    for (const Work &work : works) products += work.name.empty();
    if (!products) fail("there are no products");

    VerilatedContext context;
    const auto top = std::make_unique<Top>(&context);
    Bench bench(top.get());
    bench.run(works, false);
    bench.drop(works.back());
    bench.run(works, true);
    top->final();
    std::printf("PASS: %zu products twice, latency %llu, interval %llu\n", products,
                static_cast<unsigned long long>(bench.latency()),
                static_cast<unsigned long long>(bench.interval()));
    return 0;
}
