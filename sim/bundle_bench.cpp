// Test bench of a bundle: sends the job packets of jobs.h to the top, over its AXI4-Lite bus or its packet
// ports, and compares each response with the expected one.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "jobs.h"
#include "verilated.h"
#ifdef ECCEL_BUS
#include "eccel_regs.h"
#else
#include "packet_ports.h"
#endif

namespace {

constexpr uint64_t kWatchdog = 40000000;  // clocks without progress

Top *top;
uint64_t clocks, last_progress;
std::mt19937 generator;

// Not for secrets: the engine's real entropy port needs a true random source.
uint32_t entropy() { return generator(); }

[[noreturn]] void fail(const char *what) {
    std::printf("FAIL: %s\n", what);
    std::exit(1);
}

// One clock. Inputs are set while the clock is low, and outputs are read before the edge.
void tick() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
#ifdef ECCEL_BUS
    top->ext_ent_valid_i = 1;  // for a build whose entropy comes from this port
    top->ext_ent_data_i = entropy();
#endif
    if (++clocks - last_progress > kWatchdog) fail("the top does not answer");
}

#ifdef ECCEL_BUS

uint32_t read_register(uint32_t address) {
    bool sent = false;
    top->s_axil_araddr = address;
    top->s_axil_rready = 1;
    for (;;) {
        top->s_axil_arvalid = !sent;
        top->eval();
        const bool accepted = top->s_axil_arready, answered = top->s_axil_rvalid;
        const uint32_t data = top->s_axil_rdata, error = top->s_axil_rresp;
        tick();
        sent = sent || accepted;
        if (!answered) continue;
        top->s_axil_arvalid = 0;
        if (error) fail("error response to a read");
        return data;
    }
}

void write_register(uint32_t address, uint32_t data) {
    bool address_sent = false, data_sent = false;
    top->s_axil_awaddr = address;
    top->s_axil_wdata = data;
    top->s_axil_wstrb = 0xf;
    top->s_axil_bready = 1;
    for (;;) {
        top->s_axil_awvalid = !address_sent;
        top->s_axil_wvalid = !data_sent;
        top->eval();
        const bool address_accepted = top->s_axil_awready, data_accepted = top->s_axil_wready;
        const bool answered = top->s_axil_bvalid;
        const uint32_t error = top->s_axil_bresp;
        tick();
        address_sent = address_sent || address_accepted;
        data_sent = data_sent || data_accepted;
        if (!answered) continue;
        top->s_axil_awvalid = top->s_axil_wvalid = 0;
        if (error) fail("error response to a write");
        return;
    }
}

// STATUS, once any of `bits` is set in it. Meanwhile it gives the engine entropy when the engine asks for it.

uint32_t wait_status(uint32_t bits) {
    for (;;) {
        const uint32_t status = read_register(ECCEL_STATUS);
        if (status & bits) return status;
        if (status & ECCEL_STATUS_ENT_WANTED) write_register(ECCEL_ENT_DATA, entropy());
    }
}

std::vector<uint32_t> exchange(const std::vector<uint32_t> &request) {
    for (size_t i = 0; i < request.size(); ++i) {
        wait_status(ECCEL_STATUS_REQ_READY);
        write_register(i + 1 < request.size() ? ECCEL_REQ_DATA : ECCEL_REQ_LAST, request[i]);
    }
    std::vector<uint32_t> response;
    wait_status(ECCEL_STATUS_RSP_VALID);
    do {
        response.push_back(read_register(ECCEL_RSP_DATA));
    } while (response.size() < 2 || response.size() < 2 + (response[1] & 0xffff));
    return response;
}

#else

std::vector<uint32_t> exchange(const std::vector<uint32_t> &request) {
    std::vector<uint32_t> response;
    size_t sent = 0;
    top->rsp_ready_i = 1;
    for (;;) {
        const bool sending = sent < request.size();
        top->req_i = packet_port(sending, sent + 1 == request.size(), sending ? request[sent] : 0);
        top->ent_i = entropy_port(true, entropy());
        top->eval();
        const bool accepted = sending && top->req_ready_o;
        const uint64_t answer = top->rsp_o;
        tick();
        sent += accepted;
        if (!packet_valid(answer)) continue;
        response.push_back(packet_data(answer));
        if (packet_last(answer)) return response;
    }
}

#endif

void show(const Job &job, const std::vector<uint32_t> &response) {
    for (size_t i = 0; i < job.results.size(); ++i) {
        std::printf("  %s = 0x", job.results[i]);
        for (size_t word = job.words; word-- > 0;) std::printf("%08x", response[2 + i * job.words + word]);
        std::printf("\n");
    }
}

}  // namespace

int main(int argc, char **argv) {
    VerilatedContext context;
    context.commandArgs(argc, argv);
    top = new Top{&context};
    top->rst_ni = 0;
    for (int i = 0; i < 4; ++i) tick();
    top->rst_ni = 1;
    for (const Job &job : kJobs) {
        const uint64_t begin = last_progress = clocks;
        const std::vector<uint32_t> response = exchange(job.request);
        std::printf("%s: status 0x%02x, %llu clocks\n", job.name, response[0] & 0xff,
                    static_cast<unsigned long long>(clocks - begin));
        if (response != job.response) fail("not the expected response");
        show(job, response);
    }
    std::printf("PASS: every response is the expected one\n");
    top->final();
    delete top;
    return 0;
}
