// The UART bridge with a line on one side and a stand-in engine on the other, for bridge.py.
// SPDX-License-Identifier: Apache-2.0
//
// The stand-in answers each request with its words, inverted: header words are [status 0, op, tag] and the number of
// result words, at most 62. It takes a word of entropy in each clock in which `thirst` is not 0. After the
// zeroise input it is busy for `wipe` clocks.

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "Vunit.h"
#include "packet_ports.h"
#include "verilated.h"

struct unit {
    VerilatedContext context;
    Vunit *top;
    std::mt19937 generator{1};
    // settings
    uint32_t delay = 10, thirst = 0, wipe = 200, stall = 0;
    double bit = 8;
    // line to the host
    bool receiving = false;
    double elapsed = 0;
    unsigned bits = 0, shift = 0;
    std::vector<uint32_t> bytes;  // bit 8: no stop bit
    // engine
    std::vector<uint64_t> requests;  // word, bit 32: last
    std::vector<uint32_t> entropy;
    std::vector<uint32_t> packet;
    std::deque<uint64_t> answers;
    uint64_t now = 0, ready_at = 0;
    uint32_t wiping = 0, resets = 0, zeroises = 0, lost = 0;
    bool was_zeroise = false, was_reset = false;

    unit() {
        context.randReset(2);
        context.randSeed(1);
        top = new Vunit{&context, "unit"};
        top->zeroise_i = 0;
        top->rst_ni = 0;
        for (int i = 0; i < 4; ++i) clock(true);
        top->rst_ni = 1;
        resets = zeroises = wiping = 0;
        bytes.clear();
    }
    ~unit() { delete top; }

    void hear(bool level) {
        if (!receiving) {
            if (level) return;
            receiving = true;
            elapsed = 0;
            bits = shift = 0;
        }
        elapsed += 1;
        if (elapsed < (bits + 0.5) * bit) return;
        if (bits == 9) {
            bytes.push_back(shift >> 1 | (level ? 0 : 0x100));
            receiving = false;
            return;
        }
        shift |= unsigned(level) << bits;
        ++bits;
    }

    void clock(bool line) {
        top->clk_i = 0;
        top->rxd_i = line;
        const bool stalled = stall && generator() % stall == 0;
        const bool answering = !answers.empty() && now >= ready_at && !stalled;
        top->req_ready_i = packet.size() < 200 && !stalled && answers.empty();
        top->rsp_i = answering ? packet_port(true, answers.front() >> 32, uint32_t(answers.front())) : 0;
        top->ent_ready_i = thirst != 0;
        top->ext_ent_i = entropy_port(true, 0x5eed0000u + uint32_t(entropy.size()));
        top->busy_i = wiping != 0 || !answers.empty() || !packet.empty();
        top->eval();
        if (top->rst_ni && !top->eng_rst_no) {
            if (!was_reset) ++resets;
            packet.clear();
            answers.clear();
            // An engine forgets a packet of which words are missing.
            while (!requests.empty() && !(requests.back() >> 32)) requests.pop_back();
        } else if (top->rst_ni) {
            if (packet_valid(top->req_o) && top->req_ready_i) {
                const uint32_t data = packet_data(top->req_o);
                const bool last = packet_last(top->req_o);
                requests.push_back(uint64_t(last) << 32 | data);
                packet.push_back(data);
                if (last) answer();
            }
            if (answering && top->rsp_ready_o) answers.pop_front();
            if (thirst && entropy_valid(top->ent_o)) {
                entropy.push_back(entropy_data(top->ent_o));
                --thirst;
            }
        }
        if (top->zeroise_o && !was_zeroise) {
            ++zeroises;
            wiping = wipe;
        } else if (wiping) {
            --wiping;
        }
        was_zeroise = top->zeroise_o;
        was_reset = !top->eng_rst_no;
        lost += top->lost_o;
        hear(top->txd_o);
        top->clk_i = 1;
        top->eval();
        ++now;
    }

    void answer() {
        const size_t results = packet.size() < 2 ? 0 : packet.size() - 2 < 62 ? packet.size() - 2 : 62;
        answers.push_back((packet[0] & 0xffff0000u) | (packet[0] & 0xff) << 8);
        answers.push_back(results | (results ? 0 : 1ull << 32));
        for (size_t i = 0; i < results; ++i)
            answers.push_back(uint32_t(~packet[2 + i]) | uint64_t(i + 1 == results) << 32);
        packet.clear();
        ready_at = now + delay;
    }
};

extern "C" {

unit *unit_open() { return new unit; }
void unit_close(unit *u) { delete u; }

void unit_set(unit *u, int what, double value) {
    switch (what) {
        case 0: u->delay = uint32_t(value); break;
        case 1: u->thirst = uint32_t(value); break;
        case 2: u->wipe = uint32_t(value); break;
        case 3: u->stall = uint32_t(value); break;
        case 4: u->bit = value; break;
        case 5: u->top->zeroise_i = value != 0; break;
        case 6: u->top->rst_ni = value != 0; break;
        case 7: u->generator.seed(uint32_t(value)); break;
    }
}

// The line has level[i] in clock i.
void unit_play(unit *u, const uint8_t *level, int clocks) {
    for (int i = 0; i < clocks; ++i) u->clock(level[i]);
}
void unit_idle(unit *u, int clocks) {
    for (int i = 0; i < clocks; ++i) u->clock(true);
}

// Moves the records of a kind to `out`; returns how many there were. 0 bytes sent, 1 words of requests, 2 of entropy.
int unit_take(unit *u, int kind, uint64_t *out, int room) {
    int count = 0;
    auto move = [&](auto &from) {
        for (auto value : from)
            if (count < room) out[count++] = value;
        from.clear();
    };
    if (kind == 0) move(u->bytes);
    if (kind == 1) move(u->requests);
    if (kind == 2) move(u->entropy);
    return count;
}

uint32_t unit_count(unit *u, int what) {
    return what == 0 ? u->resets : what == 1 ? u->zeroises : what == 2 ? u->lost : u->top->busy_o;
}

}  // extern "C"
