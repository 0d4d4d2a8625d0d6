// The state of a Verilated engine: counts the bits that change, flips bits, and compares states.
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

    // From now on find_sums looks for these sums; without any, it does nothing.
    void watch_sums(const uint16_t *sums, size_t count) {
        is_sum.assign(count ? 1 << 16 : 0, false);
        for (size_t i = 0; i < count; ++i) is_sum[sums[i]] = true;
        copies.clear();
        for (const Member &member : members) copies.emplace_back(member.begin, member.begin + member.bytes);
    }

    // The bits of flip-flops, counted as in flip, at which an aligned group of 16 bits has changed so that its value
    // before and its value now add up to a watched sum (modulo 2^16). To be called after each clock.
    void find_sums(std::vector<uint64_t> &bits_found) {
        if (is_sum.empty()) return;
        uint64_t first_bit = 0;
        for (size_t i = 0; i < members.size(); ++i) {
            const Member &member = members[i];
            if (member.place != 0) continue;
            if (std::memcmp(member.begin, copies[i].data(), member.bytes) != 0) {
                add_sums(member, copies[i].data(), first_bit, bits_found);
                std::memcpy(copies[i].data(), member.begin, member.bytes);
            }
            first_bit += member.width * member.elements;
        }
    }

    // A number that is the same for the same flip-flops and memories, and for others most likely not.
    uint64_t digest() const {
        uint64_t number = 0;
        for (const Member &member : members) {
            size_t at = 0;
            uint64_t word;
            for (; at + sizeof word <= member.bytes; at += sizeof word) {
                std::memcpy(&word, member.begin + at, sizeof word);
                number = mix(number, word);
            }
            for (; at < member.bytes; ++at) number = mix(number, member.begin[at]);
        }
        return number;
    }

    // A step of such a number: no two words lead from one number to the same one.
    static uint64_t mix(uint64_t number, uint64_t word) {
        number = (number ^ word) * 0x9e3779b97f4a7c15ull;
        return number ^ number >> 32;
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

    void add_sums(const Member &member, const unsigned char *copy, uint64_t first_bit,
                  std::vector<uint64_t> &bits_found) const {
        const size_t size = member.bytes / member.elements;
        for (size_t element = 0; element < member.elements; ++element) {
            for (size_t at = 0; at + 16 <= member.width; at += 16) {
                const size_t byte = element * size + at / 8;
                uint16_t old, now;
                std::memcpy(&old, copy + byte, sizeof old);
                std::memcpy(&now, member.begin + byte, sizeof now);
                if (old != now && is_sum[static_cast<uint16_t>(old + now)])
                    bits_found.push_back(first_bit + element * member.width + at);
            }
        }
    }

    Vengine___024root *root;
    std::vector<Member> members;
    std::vector<Word> registers;
    std::vector<bool> is_sum;
    std::vector<std::vector<unsigned char>> copies;  // of the members, for find_sums
};

#endif
