// Elements between little-endian words and the ports of a Verilated module, whatever their width.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <type_traits>

template <typename Port>
static void put(Port &port, const uint32_t *x) {
    if constexpr (std::is_integral_v<Port>) {
        uint64_t value = 0;
        for (int i = 0; i < WORDS && i < 2; ++i) value |= static_cast<uint64_t>(x[i]) << 32 * i;
        port = static_cast<Port>(value);
    } else {
        for (int i = 0; i < WORDS; ++i) port[i] = x[i];
    }
}

template <typename Port>
static void get(const Port &port, uint32_t *x) {
    if constexpr (std::is_integral_v<Port>) {
        for (int i = 0; i < WORDS; ++i) x[i] = static_cast<uint64_t>(port) >> 32 * i;
    } else {
        for (int i = 0; i < WORDS; ++i) x[i] = port[i];
    }
}
