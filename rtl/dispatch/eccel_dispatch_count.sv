// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Counters of every engine in one block RAM, of 32 bits each, modulo 2^32: jobs answered; times
// that the engine was given up; clocks in which it had a job; all clocks. The last two count in
// units of UnitClocks.
//
// Requires   In 36 * Engines cycles an engine has done_i at most 15 times, and its fault_i rises at
//            most once. read_i is stable with its address until the value has come.
// Guarantees Every event counts once. After reset all counters are 0.
// Latency    An event is counted within 36 * Engines cycles. value_o follows read_i by at most 11
//            cycles.

module eccel_dispatch_count
  import eccel_dispatch_pkg::*;
#(
    parameter int Engines = 2,
    localparam int EngineBits = Engines > 1 ? $clog2(Engines) : 1,
    localparam int KindBits = $clog2(CounterCount)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [Engines-1:0] done_i,
    input logic [Engines-1:0] fault_i,  // its rising edge counts
    input logic [Engines-1:0] busy_i,

    input  logic                  read_i,
    input  logic [EngineBits-1:0] engine_i,
    input  logic [  KindBits-1:0] counter_i,
    output logic [          31:0] value_o
);

  localparam int UnitBits = $clog2(UnitClocks);
  localparam logic [2:0] Write = 3'd5;  // the step after the sum

  logic [Engines-1:0] busy_q, fault_q, mine_q, take;
  logic [UnitBits-1:0] clock_q;
  logic unit_q;
  logic [3:0] waits[Engines][CounterCount];  // events not yet counted

  logic [EngineBits-1:0] engine_q;
  logic [KindBits-1:0] kind_q;
  logic [2:0] step_q;
  logic [3:0] part_q[Engines], amount, amount_q;
  logic read_q, go_q;
  logic [31:0] rdata, sum_q;
  logic [EngineBits+KindBits-1:0] address_q, clear_q;
  logic clears_q;

  // ------------------------------------------------------------------ events

  always_ff @(posedge clk_i) begin
    busy_q  <= busy_i;
    fault_q <= fault_i;
    clock_q <= clock_q + 1'b1;
    unit_q  <= &clock_q;
    if (!rst_ni) begin
      fault_q <= '0;
      clock_q <= '0;
      unit_q  <= 1'b0;
    end
  end

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic [3:0] jobs_q;
    logic fault_wait_q, busy_wait_q, unit_wait_q, fault_was_q;
    logic [UnitBits-1:0] used_q;

    assign take[e]  = go_q && mine_q[e];
    assign waits[e] = '{jobs_q, 4'(fault_wait_q), 4'(busy_wait_q), 4'(unit_wait_q)};

    always_ff @(posedge clk_i) begin
      fault_was_q <= fault_q[e];
      if (busy_q[e]) used_q <= used_q + 1'b1;
      mine_q[e] <= int'(engine_q) == e;
      part_q[e] <= take[e] ? waits[e][kind_q] : '0;
      jobs_q <= (take[e] && kind_q == 0 ? '0 : jobs_q) + 4'(done_i[e]);
      fault_wait_q <= fault_wait_q && !(take[e] && kind_q == 1) || fault_q[e] && !fault_was_q;
      busy_wait_q <= busy_wait_q && !(take[e] && kind_q == 2) || busy_q[e] && &used_q;
      unit_wait_q <= unit_wait_q && !(take[e] && kind_q == 3) || unit_q;
      if (!rst_ni) begin
        used_q       <= '0;
        jobs_q       <= '0;
        fault_wait_q <= 1'b0;
        busy_wait_q  <= 1'b0;
        unit_wait_q  <= 1'b0;
        fault_was_q  <= 1'b0;
      end
    end
  end

  // ------------------------------------------------------------------ one counter at a time

  always_comb begin
    amount = '0;
    for (int e = 0; e < Engines; e++) amount |= part_q[e];
  end

  always_ff @(posedge clk_i) begin
    sum_q   <= rdata + 32'(amount_q);
    value_o <= rdata;
    read_q  <= read_i;
    go_q    <= step_q == 0 && !go_q && !read_q;
    if (step_q == 0) address_q <= read_q && !go_q ? {engine_i, counter_i} : {engine_q, kind_q};
    if (step_q == 1) amount_q <= amount;
    if (step_q == 0) begin
      if (go_q) step_q <= 3'd1;
    end else if (step_q == Write || step_q == 2 && amount_q == 0) begin
      step_q <= '0;
      kind_q <= kind_q + 1'b1;
      if (&kind_q) engine_q <= int'(engine_q) == Engines - 1 ? '0 : engine_q + 1'b1;
    end else step_q <= step_q + 1'b1;
    clear_q <= clear_q + 1'b1;
    if (&clear_q) clears_q <= 1'b0;
    if (!rst_ni || clears_q) begin
      step_q   <= '0;
      go_q     <= 1'b0;
      kind_q   <= '0;
      engine_q <= '0;
    end
    if (!rst_ni) begin
      clear_q  <= '0;
      clears_q <= 1'b1;
    end
  end

  eccel_ram #(
      .Width(32),
      .Depth(2 ** (EngineBits + KindBits))
  ) u_counters (
      .clk_i,
      .clr_i(1'b0),
      .we_i   (clears_q || step_q == Write),
      .waddr_i(clears_q ? clear_q : address_q),
      .wdata_i(sum_q & {32{!clears_q}}),
      .raddr_i(address_q),
      .rdata_o(rdata)
  );

endmodule
