// The streams of rtl/isa/eccel_packet_pkg.sv as Verilator shows them: a packed struct is one integer.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#ifndef ECCEL_PACKET_PORTS_H
#define ECCEL_PACKET_PORTS_H

#include <cstdint>

// packet_t
inline uint64_t packet_port(bool valid, bool last, uint32_t data) {
    return static_cast<uint64_t>(valid) << 33 | static_cast<uint64_t>(last) << 32 | data;
}
inline bool packet_valid(uint64_t port) { return port >> 33 & 1; }
inline bool packet_last(uint64_t port) { return port >> 32 & 1; }
inline uint32_t packet_data(uint64_t port) { return static_cast<uint32_t>(port); }

// entropy_t
inline uint64_t entropy_port(bool valid, uint32_t data) { return static_cast<uint64_t>(valid) << 32 | data; }
inline bool entropy_failed(uint64_t port) { return port >> 33 & 1; }
inline bool entropy_valid(uint64_t port) { return port >> 32 & 1; }
inline uint32_t entropy_data(uint64_t port) { return static_cast<uint32_t>(port); }

#endif
