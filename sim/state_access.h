// The state of a Verilated engine: counts the bits that change, and flips bits.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
//
// state_members.h, which is written with the model, has a line for each member of the root class:
//   ECCEL_STATE(member, width, elements)              flip-flops, and the read registers of RAMs
//   ECCEL_MEMORY(member, width, elements, place)      the words of a RAM or ROM
// Verilator keeps each element in bytes of its own, with its lowest bit first; this machine must do so, too.
#ifndef ECCEL_STATE_ACCESS_H
#define ECCEL_STATE_ACCESS_H

#include <cstdint>
#include <cstring>
#include <map>
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
        // The same aligned word may hold several members, and wires beside them, which the mask leaves out.
        std::map<uintptr_t, uint64_t> masks;
        for (const Member &member : members) {
            if (member.place != 0) continue;
            for (size_t i = 0; i < member.bytes; ++i) {
                const auto at = reinterpret_cast<uintptr_t>(member.begin + i);
                masks[at / 8] |= uint64_t{0xff} << at % 8 * 8;
            }
        }
        for (const auto &[index, mask] : masks)
            registers.push_back({reinterpret_cast<const unsigned char *>(index * 8), mask, 0});
    }

    // The number of bits of flip-flops that differ from the last call.
#if defined(__x86_64__)
    __attribute__((target("popcnt")))
#endif
    uint32_t distance() {
        uint64_t bits = 0;
        for (Word &word : registers) {
            uint64_t now;
            std::memcpy(&now, word.at, sizeof now);
            bits += static_cast<uint64_t>(__builtin_popcountll((now ^ word.before) & word.mask));
            word.before = now;
        }
        return static_cast<uint32_t>(bits);
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
    struct Word {
        const unsigned char *at;
        uint64_t mask, before;
    };

    void add(void *begin, size_t bytes, uint64_t width, uint64_t elements, int place) {
        members.push_back({static_cast<unsigned char *>(begin), bytes, width, elements, place});
    }

    Vengine___024root *root;
    std::vector<Member> members;
    std::vector<Word> registers;
};

#endif
