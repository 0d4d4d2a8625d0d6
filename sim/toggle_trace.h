// What the two toggle benches share: port traces, counters in bit slices, and the run itself.
//
// A port trace is a line of JSON, then for each clock the inputs and the outputs in hexadecimal, as they are before
// the rising edge. All clocks up to `first` + `wanted` are run, and the changes of the `wanted` clocks from `first`
// on are counted: clock i changes a net if its settled values before the edges i and i + 1 differ. Glitches are not
// seen, because the models have no delays.
//
// A clock mismatches if a checked output differs from the trace: bits of the mask `always`, and bits of the mask
// `qualified` if the output bit `qualifier` of the trace is 1 (-1: always).
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace toggles {

using Words = std::vector<uint32_t>;

[[noreturn]] inline void fail(const std::string &what) {
    std::printf("FAIL: %s\n", what.c_str());
    std::exit(1);
}

// The bits of a number in hexadecimal, least significant word first.
inline void parse(const char *hex, size_t digits, Words &words) {
    for (uint32_t &word : words) word = 0;
    for (size_t i = 0; i < digits; ++i) {
        const char c = hex[digits - 1 - i];
        const uint32_t digit = c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
        if (digit > 15 || i / 8 >= words.size()) fail("the port trace is malformed");
        words[i / 8] |= digit << 4 * (i % 8);
    }
}

// 64 counters in bit slices: plane p has bit p of each. They are flushed before one can overflow.
class Counters {
  public:
    void add(uint64_t bits) {
        for (int p = 0; bits; ++p) {
            const uint64_t carry = plane_[p] & bits;
            plane_[p] ^= bits;
            bits = carry;
        }
    }
    void flush(uint64_t *totals) {
        for (int p = 0; p < kPlanes; ++p) {
            for (uint64_t bits = plane_[p]; bits; bits &= bits - 1) totals[__builtin_ctzll(bits)] += 1ull << p;
            plane_[p] = 0;
        }
    }
    static constexpr int kPlanes = 12;
    static constexpr uint64_t kMost = (1ull << kPlanes) - 1;

  private:
    uint64_t plane_[kPlanes] = {};
};

// A netlist. Bits of inputs and outputs are those of the trace.
struct Model {
    size_t nets = 0;
    int input_bits = 0, output_bits = 0, qualifier = -1;
    uint64_t settle_clocks = 0;
    Words always, qualified;

    virtual ~Model() = default;
    virtual void inputs(const Words &words) = 0;
    virtual void settle() = 0;                  // after new inputs
    virtual void outputs(Words &words) = 0;     // ors them into zeros
    virtual void values(uint64_t *words) = 0;   // of all nets
    virtual void edge() = 0;                    // the rising edge of the clock
};

inline std::vector<double> read_weights(const char *path, size_t nets) {
    std::vector<double> weights((nets + 63) / 64 * 64, 0.0);
    std::ifstream file(path);
    for (size_t i = 0; i < nets; ++i) {
        if (!(file >> weights[i])) fail("there are fewer weights than nets");
    }
    return weights;
}

// Writes to `out`: a line "clocks mismatches first-mismatch", the toggles of each net, its clocks at 1, and for
// each clock its toggles and their weighted sum.
inline void run(Model &model, const char *trace_path, uint64_t first, uint64_t wanted, const char *out_path,
                const char *weights_path) {
    std::ifstream trace(trace_path);
    std::string line;
    if (!std::getline(trace, line)) fail("the port trace is empty");
    const size_t words = (model.nets + 63) / 64;
    const auto weights = weights_path ? read_weights(weights_path, model.nets) : std::vector<double>();
    std::vector<uint64_t> now(words), before(words), toggled(64 * words), high(64 * words);
    std::vector<Counters> changed(words), ones(words);
    std::vector<std::pair<uint64_t, double>> clocks;
    Words inputs(model.input_bits / 32 + 2), outputs(model.output_bits / 32 + 2), found = outputs;
    const size_t input_digits = (model.input_bits + 3) / 4, output_digits = (model.output_bits + 3) / 4;
    uint64_t clock = 0, mismatches = 0, first_mismatch = 0, pending = 0;
    const auto flush = [&] {
        for (size_t w = 0; w < words; ++w) {
            changed[w].flush(&toggled[64 * w]);
            ones[w].flush(&high[64 * w]);
        }
        pending = 0;
    };
    for (; clock <= first + wanted && std::getline(trace, line); ++clock) {
        if (line.size() != input_digits + 1 + output_digits) fail("the port trace has a line of a wrong length");
        parse(line.data(), input_digits, inputs);
        parse(line.data() + input_digits + 1, output_digits, outputs);
        model.inputs(inputs);
        model.settle();
        for (uint32_t &word : found) word = 0;
        model.outputs(found);
        const int q = model.qualifier;
        const bool valid = q < 0 || (outputs[q / 32] >> q % 32 & 1);
        bool differs = false;
        for (size_t i = 0; i < model.always.size(); ++i) {
            differs |= ((found[i] ^ outputs[i]) & (model.always[i] | (valid ? model.qualified[i] : 0))) != 0;
        }
        if (differs && clock >= model.settle_clocks && !mismatches++) first_mismatch = clock;
        if (clock >= first) {
            model.values(now.data());
            if (clock > first) {
                uint64_t sum = 0;
                double weighted = 0;
                for (size_t w = 0; w < words; ++w) {
                    const uint64_t change = now[w] ^ before[w];
                    changed[w].add(change);
                    ones[w].add(before[w]);
                    sum += __builtin_popcountll(change);
                    if (!weights.empty()) {
                        for (uint64_t bits = change; bits; bits &= bits - 1) {
                            weighted += weights[64 * w + __builtin_ctzll(bits)];
                        }
                    }
                }
                clocks.emplace_back(sum, weighted);
                if (++pending == Counters::kMost) flush();
            }
            before.swap(now);
        }
        model.edge();
    }
    flush();
    std::FILE *out = std::fopen(out_path, "w");
    if (!out) fail(std::string("cannot write ") + out_path);
    const auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
    std::fprintf(out, "%zu %llu %llu\n", clocks.size(), number(mismatches), number(first_mismatch));
    for (const auto *totals : {&toggled, &high}) {
        for (size_t i = 0; i < model.nets; ++i) std::fprintf(out, "%llu ", number((*totals)[i]));
        std::fprintf(out, "\n");
    }
    for (const auto &[sum, weighted] : clocks) std::fprintf(out, "%llu %.9g\n", number(sum), weighted);
    std::fclose(out);
}

}  // namespace toggles
