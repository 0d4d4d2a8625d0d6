// Test bench of a core with the interface of rtl/compare: it runs operations, and writes their results and cycles.
//
//     bench WORK LIMIT GAPS [TRACE]
//
// WORK has a line for each operation, with its operands in hexadecimal in the order of BENCH_OPERANDS. For each
// operation a line is printed: cycles from acceptance to valid_o, cycles from acceptance to the next acceptance (0
// for the last one), and the results. An operation that needs more than LIMIT cycles, or a valid_o without an
// operation, ends the run with a line that begins with FAIL and exit code 1.
// GAPS 0: each operation is offered as soon as the one before it is accepted. GAPS 1: there are random pauses, in
// which operands are noise, and before them all the first operation is started and dropped by a reset. After its
// acceptance an operand does not stay, so a core has to keep what it needs.
// TRACE is written with the value of each port before each rising edge. Registers then start at 0, else at random.
//
// bench_ports.h names the class of the top and its ports.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
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

#include "bench_ports.h"
#include "verilated.h"

namespace {

using Words = std::vector<uint32_t>;
constexpr int kTail = 4;  // clocks after the last result, in which no other one may come
constexpr int kDropped = 8;  // most clocks of an operation that is dropped

[[noreturn]] void fail(const std::string &what) {
    std::printf("FAIL: %s\n", what.c_str());
    std::exit(1);
}

Words parse(const std::string &hex) {
    Words words;
    for (size_t end = hex.size(); end > 0;) {
        const size_t begin = end - std::min<size_t>(end, 8);
        words.push_back(static_cast<uint32_t>(std::strtoul(hex.substr(begin, end - begin).c_str(), nullptr, 16)));
        end = begin;
    }
    return words;
}

uint32_t at(const Words &words, size_t i) { return i < words.size() ? words[i] : 0; }

template <class Port>
void put(Port &port, const Words &words, int bits) {
    const auto word = [&](int i) {
        const int kept = bits - 32 * i;
        return at(words, i) & (kept >= 32 ? ~0u : (1u << kept) - 1);
    };
    if constexpr (std::is_integral_v<Port>) {
        const uint64_t high = bits > 32 ? word(1) : 0;
        port = static_cast<Port>(word(0) | high << 32);
    } else {
        for (size_t i = 0; i < sizeof(port) / 4; ++i) port[i] = word(static_cast<int>(i));
    }
}

template <class Port>
uint32_t word_of(const Port &port, size_t i) {
    if constexpr (std::is_integral_v<Port>) {
        return static_cast<uint32_t>(static_cast<uint64_t>(port) >> (32 * i));
    } else {
        return port[i];
    }
}

std::string hex_of(const Words &words, int bits) {
    static const char *digits = "0123456789abcdef";
    std::string text;
    for (int digit = (bits + 3) / 4; digit-- > 0;) text += digits[at(words, digit / 8) >> (4 * (digit % 8)) & 15];
    return text;
}

// Several ports as one number; the first one that is added is the most significant.
class Joined {
  public:
    explicit Joined(int bits) : words_((bits + 31) / 32 + 1), bits_(bits), low_(bits) {}

    template <class Port>
    void add(const Port &port, int bits) {
        low_ -= bits;
        for (int i = 0; 32 * i < bits; ++i) {
            const uint64_t moved = static_cast<uint64_t>(word_of(port, i)) << (low_ + 32 * i) % 32;
            words_[(low_ + 32 * i) / 32] |= static_cast<uint32_t>(moved);
            if (moved >> 32) words_[(low_ + 32 * i) / 32 + 1] |= static_cast<uint32_t>(moved >> 32);
        }
    }

    std::string hex() const { return hex_of(words_, bits_); }

  private:
    Words words_;
    int bits_, low_;
};

class Bench {
  public:
    Bench(Top *top, uint64_t limit, bool gaps, const char *trace) : top_(top), limit_(limit), gaps_(gaps) {
        if (trace) {
            trace_.open(trace);
            if (!trace_) fail(std::string("cannot write ") + trace);
            trace_ << BENCH_TRACE_HEADER << "\n";
        }
        reset();
    }

    void run(const std::vector<std::vector<Words>> &works) {
        if (gaps_ && !works.empty()) drop(works.front());
        for (const auto &work : works) {
            while (gaps_ && random_() % 4 == 0) idle(true);
            operands(work);
            top_->valid_i = 1;
            while (!clock()) {
            }
        }
        while (!pending_.empty()) idle(gaps_);
        for (int i = 0; i < kTail; ++i) idle(gaps_);
        for (const Done &done : done_) {
            std::printf("%llu %llu%s\n", static_cast<unsigned long long>(done.cycles),
                        static_cast<unsigned long long>(done.interval), done.results.c_str());
        }
    }

  private:
    struct Done {
        uint64_t cycles = 0, interval = 0;
        std::string results;
    };
    struct Pending {
        uint64_t accepted;
        size_t index;
    };

    void reset() {
        top_->rst_i = 1;
        top_->valid_i = 0;
        operands({});
        for (int i = 0; i < 4; ++i) edge();
        top_->rst_i = 0;
        pending_.clear();
        done_.clear();
        quiet_ = 0;
    }

    // An operation that is on the way when the unit is reset never comes out.
    void drop(const std::vector<Words> &work) {
        operands(work);
        top_->valid_i = 1;
        while (!clock()) {
        }
        for (uint64_t i = random_() % kDropped; i > 0; --i) idle(true);
        reset();
    }

    void operands(const std::vector<Words> &values) {
        size_t i = 0;
#define BENCH_PUT(port, bits) put(top_->port, i < values.size() ? values[i] : Words(), bits), ++i;
        BENCH_OPERANDS(BENCH_PUT)
    }

    void noise() {
        std::vector<Words> values;
#define BENCH_NOISE(port, bits) values.push_back(random_words(bits));
        BENCH_OPERANDS(BENCH_NOISE)
        operands(values);
    }

    Words random_words(int bits) {
        Words words((bits + 31) / 32);
        for (uint32_t &word : words) word = static_cast<uint32_t>(random_());
        return words;
    }

    void idle(bool noisy) {
        top_->valid_i = 0;
        noisy ? noise() : operands({});
        clock();
    }

    void edge() {
        top_->eval();
        if (trace_.is_open()) {
            Joined inputs(BENCH_INPUT_BITS), outputs(BENCH_OUTPUT_BITS);
#define BENCH_JOIN_INPUT(port, bits) inputs.add(top_->port, bits);
#define BENCH_JOIN_OUTPUT(port, bits) outputs.add(top_->port, bits);
            BENCH_JOIN_INPUT(rst_i, 1)
            BENCH_JOIN_INPUT(valid_i, 1)
            BENCH_OPERANDS(BENCH_JOIN_INPUT)
            BENCH_JOIN_OUTPUT(ready_o, 1)
            BENCH_JOIN_OUTPUT(valid_o, 1)
            BENCH_RESULTS(BENCH_JOIN_OUTPUT)
            trace_ << inputs.hex() << ' ' << outputs.hex() << '\n';
        }
        top_->clk_i = 1;
        top_->eval();
        top_->clk_i = 0;
        top_->eval();
        ++clocks_;
    }

    // One clock. Outputs are read before its edge. Returns whether an operation was accepted.
    bool clock() {
        top_->eval();
        if (top_->valid_o) {
            if (pending_.empty()) fail("valid_o is high without an operation");
            Done &done = done_[pending_.front().index];
            done.cycles = clocks_ - pending_.front().accepted;
            Words words;
#define BENCH_RESULT(port, bits) \
    words.assign((bits + 31) / 32, 0); \
    for (size_t i = 0; i < words.size(); ++i) words[i] = word_of(top_->port, i); \
    done.results += ' ' + hex_of(words, bits);
            BENCH_RESULTS(BENCH_RESULT)
            pending_.pop_front();
            quiet_ = 0;
        }
        const bool accepted = top_->valid_i && top_->ready_o;
        if (accepted) {
            if (!done_.empty()) done_.back().interval = clocks_ - accepted_;
            accepted_ = clocks_;
            pending_.push_back({clocks_, done_.size()});
            done_.emplace_back();
            quiet_ = 0;
        }
        edge();
        if (++quiet_ > limit_) {
            fail("no valid_o and no ready_o within " + std::to_string(limit_) + " cycles");
        }
        return accepted;
    }

    Top *top_;
    std::mt19937 random_{1};
    std::deque<Pending> pending_;
    std::vector<Done> done_;
    std::ofstream trace_;
    uint64_t limit_, clocks_ = 0, accepted_ = 0, quiet_ = 0;
    bool gaps_;
};

std::vector<std::vector<Words>> read_works(const char *path) {
    std::ifstream file(path);
    if (!file) fail(std::string("cannot read ") + path);
    std::vector<std::vector<Words>> works;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        works.emplace_back();
        for (std::string word; words >> word;) works.back().push_back(parse(word));
    }
    return works;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 4) fail("usage: bench WORK LIMIT GAPS [TRACE]");
    const auto works = read_works(argv[1]);
    VerilatedContext context;
    context.randReset(argc > 4 ? 0 : 2);
    context.randSeed(1);
    const auto top = std::make_unique<Top>(&context);
    Bench bench(top.get(), std::strtoull(argv[2], nullptr, 10), argv[3][0] == '1', argc > 4 ? argv[4] : nullptr);
    bench.run(works);
    top->final();
    return 0;
}
