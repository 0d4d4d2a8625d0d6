// C interface to one Verilated engine_units, for units.py: all ports by name, clock by clock.
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

#define INPUTS(X) \
    X(rst_ni) X(begin_i) X(taken_i) X(run_i) X(clear_i) X(step_i) X(bit_i) X(decode_i) X(index_i) \
    X(execute_i) X(fetched_i) X(x_i) X(words_i) X(pbits_i) X(nbits_i) X(req_i) X(rsp_ready_i) \
    X(zeroise_i) X(finish_i) X(wiped_i) X(outcome_i) X(curve_i) X(poke_i) X(peek_addr_i) X(poke_data_i) \
    X(member_i)
#define OUTPUTS(X) \
    X(soon_o) X(over_o) X(due_o) X(sign_o) X(window_o) X(instr_o) X(field_o) X(indexed_o) X(control_o) \
    X(on_unit_o) X(from_flags_o) X(count_o) X(last_o) X(req_ready_o) X(rsp_o) X(start_o) X(wipe_o) \
    X(job_o) X(busy_o) X(peek_data_o) X(thread_ready_o) X(thread_rsp_o) X(thread_start_o) \
    X(thread_mover_o) X(thread_useq_o)
#define FIELD(name) uint64_t name;
#define NAME(name) #name " "

struct inputs { INPUTS(FIELD) };
struct outputs { OUTPUTS(FIELD) };

struct unit {
    VerilatedContext context;
    Vunit top{&context, "unit"};
};

extern "C" {

unit *unit_open() { return new unit; }
void unit_close(unit *u) { delete u; }
const char *unit_inputs() { return INPUTS(NAME); }
const char *unit_outputs() { return OUTPUTS(NAME); }

// Keeps the inputs for some clocks. The outputs are those of the last clock, before its edge.
void unit_clock(unit *u, const inputs *in, outputs *out, int clocks) {
    for (int i = 0; i < clocks; ++i) {
        u->top.clk_i = 0;
#define SET(name) u->top.name = in->name;
        INPUTS(SET)
        u->top.eval();
#define GET(name) out->name = u->top.name;
        OUTPUTS(GET)
        u->top.clk_i = 1;
        u->top.eval();
    }
}

}  // extern "C"
