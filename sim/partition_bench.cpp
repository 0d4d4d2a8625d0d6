// Bench of a partition: all devices with their links in one simulation.
//
// jobs.txt has a line for each job: the words of its packet, "->", the words of its result, in hexadecimal. Jobs
// are offered as fast as the link of the host takes them, and every result is compared. Lines of the output:
//     CYCLES n      from the cycle of the first word of the first job to that of the last word of the last result
//     FIRST n       the same for the first result
//     RETRIES n     times that frames were sent again
//     STATUS text   "pass"; "dead REASON" if a link died (reason_t of eccel_link_pkg); "wrong JOB"; "timeout"
// Options: --channels N, --cut CHANNEL CYCLE, --faults PER_MILLION SEED, --limit CYCLES.
// Exit code 0 for "pass" and "dead", else 1. With "dead", results before the end were right.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "Vsystem.h"
#include "verilated.h"

namespace {

using Word = std::vector<uint32_t>;

struct Job {
    std::vector<Word> in, out;
};

Word word_of(const std::string &hex, size_t parts) {
    Word word(parts, 0);
    for (size_t i = 0; i < hex.size(); ++i) {
        const size_t digit = hex.size() - 1 - i;
        const uint32_t value = static_cast<uint32_t>(std::stoul(hex.substr(digit, 1), nullptr, 16));
        if (i / 8 < parts) word[i / 8] |= value << (4 * (i % 8));
    }
    return word;
}

template <class Port>
void put(Port &port, const Word &word) {
    if constexpr (std::is_integral_v<Port>) {
        uint64_t value = word[0];
        if (sizeof(Port) > 4) value |= static_cast<uint64_t>(word[1]) << 32;
        port = static_cast<Port>(value);
    } else {
        for (size_t i = 0; i < sizeof(port) / 4; ++i) port[i] = word[i];
    }
}

template <class Port>
Word get(const Port &port, size_t parts) {
    Word word(parts, 0);
    if constexpr (std::is_integral_v<Port>) {
        word[0] = static_cast<uint32_t>(port);
        if (sizeof(Port) > 4) word[1] = static_cast<uint32_t>(static_cast<uint64_t>(port) >> 32);
    } else {
        for (size_t i = 0; i < sizeof(port) / 4; ++i) word[i] = port[i];
    }
    return word;
}

// A bit or field of a port of any width.
template <class Port>
void put_bits(Port &port, size_t at, uint32_t value) {
    if constexpr (std::is_integral_v<Port>) {
        port = static_cast<Port>(port | static_cast<Port>(static_cast<uint64_t>(value) << at));
    } else {
        const uint64_t wide = static_cast<uint64_t>(value) << (at % 32);
        port[at / 32] |= static_cast<uint32_t>(wide);
        if (wide >> 32) port[at / 32 + 1] |= static_cast<uint32_t>(wide >> 32);
    }
}

template <class Port>
void clear(Port &port) {
    std::memset(&port, 0, sizeof(port));
}

}  // namespace

int main(int argc, char **argv) {
    uint64_t channels = 0, cut_at = 0, limit = 100'000'000, faults = 0, seed = 1;
    int cut = -1;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto next = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 0) : 0; };
        if (name == "--channels") channels = next();
        else if (name == "--cut") cut = static_cast<int>(next()), cut_at = next();
        else if (name == "--faults") faults = next(), seed = next();
        else if (name == "--limit") limit = next();
        else return std::fprintf(stderr, "unknown option %s\n", argv[i]), 2;
    }
    constexpr size_t parts = sizeof(Vsystem::data_i) <= 4 ? 1 : sizeof(Vsystem::data_i) / 4;
    std::vector<Job> jobs;
    std::ifstream file("jobs.txt");
    for (std::string line; std::getline(file, line);) {
        Job job;
        std::istringstream words(line);
        bool result = false;
        for (std::string text; words >> text;) {
            if (text == "->") result = true;
            else (result ? job.out : job.in).push_back(word_of(text, parts));
        }
        jobs.push_back(job);
    }
    if (jobs.empty()) return std::fprintf(stderr, "jobs.txt has no jobs\n"), 2;

    auto context = std::make_unique<VerilatedContext>();
    context->randReset(2);
    context->randSeed(static_cast<int>(seed));
    auto top = std::make_unique<Vsystem>(context.get(), "system");
    std::mt19937_64 random(seed);
    uint64_t now = 0, first_in = 0, first_out = 0, last_out = 0;
    size_t in_job = 0, in_word = 0, out_job = 0, out_word = 0;
    std::string status;
    top->ready_i = 1;
    while (status.empty()) {
        top->clk_i = 0;
        top->rst_i = now < 4;
        top->valid_i = in_job < jobs.size() && top->up_o;
        if (in_job < jobs.size()) {
            put(top->data_i, jobs[in_job].in[in_word]);
            top->last_i = in_word + 1 == jobs[in_job].in.size();
        }
        clear(top->cut_i);
        clear(top->fault_i);
        if (cut >= 0 && now >= cut_at) put_bits(top->cut_i, static_cast<size_t>(cut), 1);
        for (uint64_t c = 0; faults && c < channels; ++c) {
            if (random() % 1'000'000 < faults) put_bits(top->fault_i, 3 * c, static_cast<uint32_t>(1 + random() % 4));
        }
        top->flip_i = random() | 1;
        top->eval();
        if (top->valid_i && top->ready_o && now >= 4) {
            if (in_job == 0 && in_word == 0) first_in = now;
            if (++in_word == jobs[in_job].in.size()) ++in_job, in_word = 0;
        }
        if (top->valid_o && now >= 4) {
            const Job &job = jobs[out_job];
            const bool last = out_word + 1 == job.out.size();
            if (get(top->data_o, parts) != job.out[out_word] || static_cast<bool>(top->last_o) != last) {
                status = "wrong " + std::to_string(out_job);
            } else if (++out_word == job.out.size()) {
                last_out = now;
                if (out_job == 0) first_out = now;
                out_word = 0;
                if (++out_job == jobs.size()) status = "pass";
            }
        }
        if (status.empty() && top->dead_o && top->all_dead_o && !top->valid_o && now >= 4) {
            status = "dead " + std::to_string(static_cast<int>(top->reason_o));
        }
        if (status.empty() && now >= limit) status = "timeout";
        top->clk_i = 1;
        top->eval();
        ++now;
    }
    std::printf("RESULTS %zu\nCYCLES %llu\nFIRST %llu\nRETRIES %d\nEND %llu\nSTATUS %s\n", out_job,
                static_cast<unsigned long long>(last_out - first_in + 1),
                static_cast<unsigned long long>(first_out - first_in + 1), static_cast<int>(top->retries_o),
                static_cast<unsigned long long>(now), status.c_str());
    top->final();
    return status == "pass" || status.compare(0, 4, "dead") == 0 ? 0 : 1;
}
