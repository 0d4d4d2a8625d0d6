// One part of the dispatcher, clock by clock. `in` and `out` are the inputs and outputs of the part in the order of the
// lists below. An unpacked array has one place for each element.

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

using u64 = uint64_t;

struct Part {
    VerilatedContext context;
    Vunit top{&context};

    void set(const u64 *in) {
        top.rst_ni = *in++;
#if defined(COUNT)
        top.done_i = *in++;
        top.fault_i = *in++;
        top.busy_i = *in++;
        top.read_i = *in++;
        top.engine_i = *in++;
        top.counter_i = *in++;
#elif defined(ENTROPY)
        top.ent_i = *in++;
        top.shared_i = *in++;
        top.targets_i = *in++;
        top.fault_i = *in++;
        top.eng_ready_i = *in++;
#elif defined(ANSWER)
        top.rsp_i = *in++;
        top.owed_i = *in++;
        top.group_i = *in++;
        top.stop_i = *in++;
        top.release_i = *in++;
        top.header_valid_i = *in++;
        top.header_ticket_i = *in++;
        top.header_i = *in++;
        top.read_i = *in++;
        top.read_header_i = *in++;
        top.read_ticket_i = *in++;
        top.read_index_i = *in++;
#endif
    }

    void get(u64 *out) const {
#if defined(COUNT)
        *out++ = top.value_o;
#elif defined(ENTROPY)
        *out++ = top.ent_ready_o;
        for (int e = 0; e < ENGINES; ++e) *out++ = top.eng_o[e];
#elif defined(ANSWER)
        *out++ = top.rsp_ready_o;
        *out++ = top.bad_o;
        *out++ = top.answered_o;
        *out++ = top.ticket_o;
        *out++ = top.data_o;
#endif
    }
};

extern "C" {

void *unit_open() { return new Part; }

void unit_close(Part *part) { delete part; }

// One clock: applies the inputs, samples the outputs, then raises the clock.
void unit_clock(Part *part, const u64 *in, u64 *out) {
    part->top.clk_i = 0;
    part->set(in);
    part->top.eval();
    part->get(out);
    part->top.clk_i = 1;
    part->top.eval();
}

}
