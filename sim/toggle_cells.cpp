// Counts the toggles of every net of a netlist of library cells (toggle_trace.h).
//
//     bench PLAN TRACE FIRST CLOCKS OUT [WEIGHTS]
//
// The netlist is interpreted, so that no netlist is ever compiled: a gate is the table of its function. PLAN has a
// line for each part, with nets as numbers below TOTAL:
//     nets N TOTAL (those from N on are not counted)    inputs BITS    outputs BITS    check QUALIFIER SETTLE ALWAYS QUALIFIED (masks in hexadecimal)
//     i BIT NET                      an input bit of the trace
//     o BIT NET                      an output bit
//     c NET LEVEL                    a constant
//     g NET TABLE K IN[0] ..         a gate of K inputs: bit sum(IN[k] << k) of TABLE (hexadecimal); in an order in
//                                    which its inputs are computed before it
//     f NET D ENABLE                 a flip-flop, loaded with D if ENABLE is 1
//     m WORDS WIDTH OFFSET           a memory that starts with zeros; then come its parts:
//     v ADDRESS WORD                 a word of its first content (hexadecimal)
//     r CLOCKED ENABLE RESET A .. ; D ..   a read port: nets of the address and of the data. CLOCKED 0: at once
//     w A .. ; D .. ; E ..           a write port: address, data, enable of each bit
//     a MEMORY PORT                  a read port that is not clocked, in the order of the gates
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "toggle_trace.h"

namespace {

using toggles::Words;
using Nets = std::vector<uint32_t>;

struct Gate {
    uint64_t table;
    uint32_t out, first, count;  // inputs are in one array; count > 6: a read of memory `first`, port `out`
};
constexpr uint32_t kRead = 7;

struct Read {
    bool clocked;
    uint32_t enable, reset;
    Nets address, data;
};
struct Write {
    Nets address, data, enable;
};
struct Memory {
    uint64_t words, width, offset;
    std::vector<uint8_t> bits;
    std::vector<Read> reads;
    std::vector<Write> writes;
};

class Cells final : public toggles::Model {
  public:
    explicit Cells(const char *path) {
        std::ifstream file(path);
        if (!file) toggles::fail(std::string("cannot read ") + path);
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            part(words);
        }
        latched_.resize(d_.size());
        settle();
    }

    void inputs(const Words &words) override {
        for (const auto &[bit, net] : inputs_) value_[net] = words[bit / 32] >> bit % 32 & 1;
    }

    void outputs(Words &words) override {
        for (const auto &[bit, net] : outputs_) words[bit / 32] |= static_cast<uint32_t>(value_[net]) << bit % 32;
    }

    void settle() override {
        uint8_t *v = value_.data();
        const uint32_t *in = in_.data();
        for (const Gate &g : gates_) {
            const uint32_t *i = in + g.first;
            uint32_t at = 0;
            switch (g.count) {
                case kRead: read(memories_[g.first], memories_[g.first].reads[g.out]); continue;
                case 6: at |= v[i[5]] << 5; [[fallthrough]];
                case 5: at |= v[i[4]] << 4; [[fallthrough]];
                case 4: at |= v[i[3]] << 3; [[fallthrough]];
                case 3: at |= v[i[2]] << 2; [[fallthrough]];
                case 2: at |= v[i[1]] << 1; [[fallthrough]];
                case 1: at |= v[i[0]];
            }
            v[g.out] = g.table >> at & 1;
        }
    }

    void edge() override {
        uint8_t *v = value_.data();
        for (size_t i = 0; i < d_.size(); ++i) latched_[i] = v[enable_[i]] ? v[d_[i]] : v[q_[i]];
        for (Memory &memory : memories_) clock(memory);
        for (size_t i = 0; i < d_.size(); ++i) v[q_[i]] = latched_[i];
        for (const auto &[net, level] : loaded_) v[net] = level;
        loaded_.clear();
    }

    void values(uint64_t *words) override {
        for (size_t w = 0; w < (nets + 63) / 64; ++w) {
            uint64_t word = 0;
            for (int byte = 0; byte < 8; ++byte) {
                uint64_t eight;
                __builtin_memcpy(&eight, &value_[64 * w + 8 * byte], 8);
                word |= (eight * 0x0102040810204080ull >> 56) << 8 * byte;
            }
            words[w] = word;
        }
    }

  private:
    static uint64_t number(std::istringstream &words, int base = 10) {
        std::string text;
        if (!(words >> text)) toggles::fail("the plan is malformed");
        return std::strtoull(text.c_str(), nullptr, base);
    }

    static Nets list(std::istringstream &words) {
        Nets found;
        for (std::string word; words >> word && word != ";";) found.push_back(std::stoul(word));
        return found;
    }

    static Words mask(std::istringstream &words, size_t bits) {
        std::string hex;
        words >> hex;
        Words found(bits / 32 + 2);
        toggles::parse(hex.data(), hex.size(), found);
        return found;
    }

    void part(std::istringstream &words) {
        std::string kind;
        words >> kind;
        if (kind == "nets") {
            nets = number(words);
            value_.assign((number(words) + 63) / 64 * 64, 0);
        } else if (kind == "inputs") {
            input_bits = static_cast<int>(number(words));
        } else if (kind == "outputs") {
            output_bits = static_cast<int>(number(words));
        } else if (kind == "check") {
            words >> qualifier >> settle_clocks;
            always = mask(words, output_bits);
            qualified = mask(words, output_bits);
        } else if (kind == "i" || kind == "o") {
            const uint32_t bit = number(words), net = number(words);
            (kind == "i" ? inputs_ : outputs_).emplace_back(bit, net);
        } else if (kind == "c") {
            const uint32_t net = number(words);
            value_[net] = number(words);
        } else if (kind == "g") {
            const uint32_t out = number(words);
            const uint64_t table = number(words, 16);
            const uint32_t count = number(words), first = in_.size();
            if (count > 6) toggles::fail("a gate has more than 6 inputs");
            for (uint32_t i = 0; i < count; ++i) in_.push_back(number(words));
            gates_.push_back({table, out, first, count});
        } else if (kind == "f") {
            q_.push_back(number(words));
            d_.push_back(number(words));
            enable_.push_back(number(words));
        } else if (kind == "m") {
            Memory memory;
            memory.words = number(words);
            memory.width = number(words);
            memory.offset = number(words);
            memory.bits.assign(memory.words * memory.width, 0);
            memories_.push_back(std::move(memory));
        } else if (kind == "v") {
            Memory &memory = memories_.back();
            const uint64_t address = number(words);
            const Words word = mask(words, memory.width);
            for (uint64_t i = 0; i < memory.width; ++i) {
                memory.bits[address * memory.width + i] = word[i / 32] >> i % 32 & 1;
            }
        } else if (kind == "r") {
            Read port;
            port.clocked = number(words) != 0;
            port.enable = number(words);
            port.reset = number(words);
            port.address = list(words);
            port.data = list(words);
            memories_.back().reads.push_back(std::move(port));
        } else if (kind == "w") {
            Write port;
            port.address = list(words);
            port.data = list(words);
            port.enable = list(words);
            memories_.back().writes.push_back(std::move(port));
        } else if (kind == "a") {
            const uint32_t memory = number(words), port = number(words);
            gates_.push_back({0, port, memory, kRead});
        } else {
            toggles::fail("the plan has a part of no kind: " + kind);
        }
    }

    uint64_t address(const Nets &nets_of) const {
        uint64_t at = 0;
        for (size_t i = 0; i < nets_of.size(); ++i) at |= static_cast<uint64_t>(value_[nets_of[i]]) << i;
        return at;
    }

    const uint8_t *word(const Memory &memory, const Nets &nets_of) const {
        const uint64_t at = address(nets_of) - memory.offset;
        return at < memory.words ? &memory.bits[at * memory.width] : nullptr;
    }

    void read(const Memory &memory, const Read &port) {
        const uint8_t *from = word(memory, port.address);
        for (size_t i = 0; i < port.data.size(); ++i) value_[port.data[i]] = from ? from[i] : 0;
    }

    // Reads come before writes: a word that is read in the clock of its write is the old one.
    void clock(Memory &memory) {
        for (const Read &port : memory.reads) {
            if (!port.clocked || !(value_[port.enable] || value_[port.reset])) continue;
            const uint8_t *from = value_[port.reset] ? nullptr : word(memory, port.address);
            for (size_t i = 0; i < port.data.size(); ++i) loaded_.emplace_back(port.data[i], from ? from[i] : 0);
        }
        for (const Write &port : memory.writes) {
            uint8_t *to = const_cast<uint8_t *>(word(memory, port.address));
            for (size_t i = 0; to && i < port.data.size(); ++i) {
                if (value_[port.enable[i]]) to[i] = value_[port.data[i]];
            }
        }
    }

    std::vector<uint8_t> value_, latched_;
    std::vector<Gate> gates_;
    Nets in_, d_, q_, enable_;
    std::vector<std::pair<uint32_t, uint32_t>> inputs_, outputs_;
    std::vector<std::pair<uint32_t, uint8_t>> loaded_;
    std::vector<Memory> memories_;
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 6) toggles::fail("usage: bench PLAN TRACE FIRST CLOCKS OUT [WEIGHTS]");
    Cells model(argv[1]);
    toggles::run(model, argv[2], std::strtoull(argv[3], nullptr, 10), std::strtoull(argv[4], nullptr, 10), argv[5],
                 argc > 6 ? argv[6] : nullptr);
    return 0;
}
