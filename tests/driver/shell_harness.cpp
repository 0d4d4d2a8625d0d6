// Register accesses to the AXI4-Lite shell in Verilator: each call is one transfer, and the clock runs meanwhile.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "Vunit.h"
#include "verilated.h"

namespace {
struct Shell {
    VerilatedContext context;
    Vunit top{&context, "shell"};
    uint64_t errors = 0;

    uint32_t random = 1;

    void clock() {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        top.ext_ent_valid_i = 1;  // used in a build with entropy from the port
        top.ext_ent_data_i = random;
        top.clk_i = 0;
        top.eval();
        context.timeInc(1);
        top.clk_i = 1;
        top.eval();
        context.timeInc(1);
    }
};
}  // namespace

extern "C" {
Shell *unit_open() {
    auto *shell = new Shell;
    shell->top.rst_ni = 0;
    shell->top.s_axil_wstrb = 15;
    for (int i = 0; i < 4; ++i) shell->clock();
    shell->top.rst_ni = 1;
    return shell;
}

uint32_t unit_read(Shell *shell, uint32_t address) {
    auto &top = shell->top;
    top.s_axil_araddr = address;
    top.s_axil_arvalid = 1;
    top.s_axil_rready = 1;
    for (bool sent = false;;) {
        top.clk_i = 0;
        top.eval();
        const bool accepted = top.s_axil_arvalid && top.s_axil_arready, done = top.s_axil_rvalid;
        const uint32_t data = top.s_axil_rdata;
        shell->errors += done && top.s_axil_rresp != 0;
        shell->clock();
        sent = sent || accepted;
        if (sent) top.s_axil_arvalid = 0;
        if (done) return data;
    }
}

void unit_write(Shell *shell, uint32_t address, uint32_t word) {
    auto &top = shell->top;
    top.s_axil_awaddr = address;
    top.s_axil_wdata = word;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
    for (;;) {
        top.clk_i = 0;
        top.eval();
        const bool address_taken = top.s_axil_awready, data_taken = top.s_axil_wready, done = top.s_axil_bvalid;
        shell->errors += done && top.s_axil_bresp != 0;
        shell->clock();
        if (address_taken) top.s_axil_awvalid = 0;
        if (data_taken) top.s_axil_wvalid = 0;
        if (done) return;
    }
}

// Lets clocks pass. Returns the interrupt.
int unit_idle(Shell *shell, uint32_t clocks) {
    while (clocks--) shell->clock();
    return shell->top.irq_o;
}

// Pulses the tamper input.
void unit_zeroise(Shell *shell) {
    shell->top.zeroise_i = 1;
    shell->clock();
    shell->top.zeroise_i = 0;
}

// Accesses that were answered with an error.
uint64_t unit_errors(Shell *shell) { return shell->errors; }
}
