// Counts the toggles of every net of a netlist of FPGA cells, which Verilator has compiled (toggle_trace.h).
//
//     bench TRACE FIRST CLOCKS OUT [WEIGHTS]
//
// bench_nets.h has the class of the model, its ports with their places in the trace, what is compared, and its nets.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <type_traits>

#include "bench_nets.h"
#include "toggle_trace.h"
#include "verilated.h"

namespace {

using toggles::Words;

uint32_t bits_at(const Words &words, int low, int count) {
    const size_t i = low / 32;
    const uint64_t pair = words[i] | static_cast<uint64_t>(words[i + 1]) << 32;
    return static_cast<uint32_t>(pair >> low % 32) & (count >= 32 ? ~0u : (1u << count) - 1);
}

template <class Port>
void put(Port &port, const Words &words, int low, int bits) {
    if constexpr (std::is_integral_v<Port>) {
        uint64_t value = bits_at(words, low, bits);
        if (bits > 32) value |= static_cast<uint64_t>(bits_at(words, low + 32, bits - 32)) << 32;
        port = static_cast<Port>(value);
    } else {
        for (int i = 0; 32 * i < bits; ++i) port[i] = bits_at(words, low + 32 * i, bits - 32 * i);
    }
}

template <class Port>
void get(const Port &port, Words &words, int low, int bits) {
    for (int i = 0; 32 * i < bits; ++i) {
        uint32_t value;
        if constexpr (std::is_integral_v<Port>) {
            value = static_cast<uint32_t>(static_cast<uint64_t>(port) >> 32 * i);
        } else {
            value = port[i];
        }
        if (bits - 32 * i < 32) value &= (1u << (bits - 32 * i)) - 1;
        const uint64_t moved = static_cast<uint64_t>(value) << (low + 32 * i) % 32;
        words[(low + 32 * i) / 32] |= static_cast<uint32_t>(moved);
        words[(low + 32 * i) / 32 + 1] |= static_cast<uint32_t>(moved >> 32);
    }
}

class Netlist final : public toggles::Model {
  public:
    Netlist() {
        nets = BENCH_COUNT;
        input_bits = BENCH_INPUT_BITS;
        output_bits = BENCH_OUTPUT_BITS;
        qualifier = BENCH_QUALIFIER;
        settle_clocks = BENCH_SETTLE;
        always = mask(BENCH_ALWAYS);
        qualified = mask(BENCH_QUALIFIED);
        context_.randReset(0);
        top_ = std::make_unique<Top>(&context_);
        top_->BENCH_CLOCK = 0;
    }
    void inputs(const Words &words) override {
#define BENCH_PUT(port, low, bits) put(top_->port, words, low, bits);
        BENCH_INPUTS(BENCH_PUT)
    }
    void settle() override { top_->eval(); }
    void outputs(Words &words) override {
#define BENCH_GET(port, low, bits) get(top_->port, words, low, bits);
        BENCH_OUTPUTS(BENCH_GET)
    }
    void values(uint64_t *words) override {
        for (size_t w = 0; w < (nets + 63) / 64; ++w) words[w] = 0;
        size_t at = 0;
#define BENCH_NET(name) words[at / 64] |= static_cast<uint64_t>(top_->rootp->name & 1) << at % 64, ++at;
#include "bench_net_list.h"
    }
    void edge() override {
        top_->BENCH_CLOCK = 1;
        top_->eval();
        top_->BENCH_CLOCK = 0;
        top_->eval();
    }

  private:
    static Words mask(const char *hex) {
        Words words(BENCH_OUTPUT_BITS / 32 + 2);
        toggles::parse(hex, std::char_traits<char>::length(hex), words);
        return words;
    }
    VerilatedContext context_;
    std::unique_ptr<Top> top_;
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 5) toggles::fail("usage: bench TRACE FIRST CLOCKS OUT [WEIGHTS]");
    Netlist model;
    toggles::run(model, argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10), argv[4],
                 argc > 5 ? argv[5] : nullptr);
    return 0;
}
