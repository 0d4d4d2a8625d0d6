// The state of a Verilated engine: counts the bits that change, and flips bits.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
//
// state_members.h, which is written with the model, has a line for each member of the root class:
//   ECCEL_STATE(member, width, elements)              flip-flops, and the read registers of RAMs
//   ECCEL_MEMORY(member, width, elements, place)      the words of a RAM or ROM
// Verilator keeps each element in bytes of its own, with its lowest bit first.
#ifndef ECCEL_STATE_ACCESS_H
#define ECCEL_STATE_ACCESS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "Vengine___024root.h"

// Computes all wires anew from the state, as before the first clock. Part of every Verilated model.
void Vengine___024root___eval_settle(Vengine___024root *root);

class StateAccess {
  public:
    explicit StateAccess(Vengine___024root *model) : root(model) {
#define ECCEL_STATE(member, width, elements) add(&root->member, sizeof root->member, width, elements, 0);
#define ECCEL_MEMORY(member, width, elements, place) add(&root->member, sizeof root->member, width, elements, place);
#include "state_members.h"
#undef ECCEL_STATE
#undef ECCEL_MEMORY
        std::sort(registers.begin(), registers.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
        size_t bytes = 0;
        for (const Range &range : registers) bytes += range.bytes;
        before.resize(bytes);
    }

    // The number of bits of flip-flops that differ from the last call.
#if defined(__x86_64__)
    __attribute__((target("popcnt")))
#endif
    uint32_t distance() {
        uint32_t bits = 0;
        unsigned char *old = before.data();
        for (const Range &range : registers) {
            for (size_t i = 0; i < range.bytes; i += sizeof(uint64_t)) {
                const size_t count = std::min(range.bytes - i, sizeof(uint64_t));
                uint64_t now = 0, then = 0;
                std::memcpy(&now, range.begin + i, count);
                std::memcpy(&then, old + i, count);
                if (now == then) continue;
                bits += static_cast<uint32_t>(__builtin_popcountll(now ^ then));
                std::memcpy(old + i, &now, count);
            }
            old += range.bytes;
        }
        return bits;
    }

    // The bits of a place: 0 for flip-flops, others as in state_members.h.
    uint64_t bits(int place) const {
        uint64_t count = 0;
        for (const Member &member : members)
            if (member.place == place) count += member.width * member.elements;
        return count;
    }

    // Flips a bit of a place, and lets all wires follow. Bits count in the order of state_members.h.
    bool flip(int place, uint64_t bit) {
        for (const Member &member : members) {
            if (member.place != place) continue;
            const uint64_t count = member.width * member.elements;
            if (bit < count) {
                unsigned char *element = member.begin + bit / member.width * (member.bytes / member.elements);
                const uint64_t position = bit % member.width;
                element[position / 8] = static_cast<unsigned char>(element[position / 8] ^ (1u << position % 8));
                Vengine___024root___eval_settle(root);
                return true;
            }
            bit -= count;
        }
        return false;
    }

  private:
    struct Member {
        unsigned char *begin;
        size_t bytes;
        uint64_t width, elements;
        int place;
    };
    struct Range {
        const unsigned char *begin;
        size_t bytes;
    };

    void add(void *begin, size_t bytes, uint64_t width, uint64_t elements, int place) {
        auto *first = static_cast<unsigned char *>(begin);
        members.push_back({first, bytes, width, elements, place});
        if (place == 0) registers.push_back({first, bytes});
    }

    Vengine___024root *root;
    std::vector<Member> members;
    std::vector<Range> registers;
    std::vector<unsigned char> before;
};

#endif
