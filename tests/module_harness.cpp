// C interface to one Verilated module, for module.py: all ports by name, clock by clock.
// SPDX-License-Identifier: Apache-2.0
//
// INPUTS and OUTPUTS are lists of X(port), without the clock. Values are passed as 32-bit words, lowest first: a port
// after the other, an element of an unpacked array after the other.

#include <cstdint>
#include <string>

#include "Vunit.h"
#include "verilated.h"

// A port of up to 64 bits, a wider one, an unpacked array.
template <class T>
struct port_of {
    static constexpr int words = sizeof(T) > 4 ? 2 : 1, elements = 0;
    static void set(T &port, const uint32_t *&in) {
        uint64_t value = *in++;
        if (words == 2) value |= uint64_t(*in++) << 32;
        port = static_cast<T>(value);
    }
    static void get(const T &port, uint32_t *&out) {
        *out++ = static_cast<uint32_t>(port);
        if (words == 2) *out++ = static_cast<uint32_t>(uint64_t(port) >> 32);
    }
};
template <std::size_t Words>
struct port_of<VlWide<Words>> {
    static constexpr int words = Words, elements = 0;
    static void set(VlWide<Words> &port, const uint32_t *&in) {
        for (std::size_t i = 0; i < Words; ++i) port[i] = *in++;
    }
    static void get(const VlWide<Words> &port, uint32_t *&out) {
        for (std::size_t i = 0; i < Words; ++i) *out++ = port[i];
    }
};
template <class T, std::size_t Elements>
struct port_of<VlUnpacked<T, Elements>> {
    static constexpr int words = port_of<T>::words, elements = Elements;
    static void set(VlUnpacked<T, Elements> &port, const uint32_t *&in) {
        for (std::size_t i = 0; i < Elements; ++i) port_of<T>::set(port[i], in);
    }
    static void get(const VlUnpacked<T, Elements> &port, uint32_t *&out) {
        for (std::size_t i = 0; i < Elements; ++i) port_of<T>::get(port[i], out);
    }
};

#define PORT(name) port_of<std::remove_cv_t<std::remove_reference_t<decltype(Vunit::name)>>>
#define LAYOUT(name) std::string(#name ":") + std::to_string(PORT(name)::words) + ":" + std::to_string(PORT(name)::elements) + " "

struct unit {
    VerilatedContext context;
    Vunit *top;

    unit() {
        context.randReset(2);
        context.randSeed(1);
        top = new Vunit{&context, "unit"};
    }
    ~unit() { delete top; }
};

extern "C" {

unit *unit_open() { return new unit; }
void unit_close(unit *u) { delete u; }

const char *unit_inputs() {
#define X(name) + LAYOUT(name)
    static const std::string text = std::string() INPUTS;
    return text.c_str();
}
const char *unit_outputs() {
    static const std::string text = std::string() OUTPUTS;
    return text.c_str();
#undef X
}

// The same inputs for some clocks; the outputs in the last of them, before its edge.
void unit_clock(unit *u, const uint32_t *inputs, uint32_t *outputs, int clocks) {
    for (int i = 0; i < clocks; ++i) {
        const uint32_t *in = inputs;
        uint32_t *out = outputs;
        u->top->clk_i = 0;
#define X(name) PORT(name)::set(u->top->name, in);
        INPUTS
#undef X
        u->top->eval();
#define X(name) PORT(name)::get(u->top->name, out);
        OUTPUTS
#undef X
        u->top->clk_i = 1;
        u->top->eval();
    }
}

}  // extern "C"
