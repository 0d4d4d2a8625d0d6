// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operands of a product for eccel_comba_array, from the streams of the register file: all of a, and
// the digits of b one in a cycle.
//
// Parameters DigitBits; Words >= 5 of two digits; Lanes: digits of a.
// Requires   read_i comes at most every 2 * Words cycles. rdata_i[j] is word j of a j cycles after
//            read_i, and word j of b one cycle later.
// Guarantees start_o, a_o and digit_o are as eccel_comba_array requires start_i, a_i and b_i.
// Latency    start_o comes Words - 1 cycles after read_i.

module eccel_turbo_factors #(
    parameter int DigitBits = 16,
    parameter int Words = 8,
    parameter int Lanes = 16,
    localparam int WordBits = 2 * DigitBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                read_i,
    input logic [WordBits-1:0] rdata_i[Words],

    output logic                       start_o,
    output logic [Lanes*DigitBits-1:0] a_o,
    output logic [      DigitBits-1:0] digit_o
);

  localparam int IndexBits = $clog2(Words);
  localparam int Half = 2 ** (IndexBits - 1);

  logic [Words:0] at;  // word j of a, word j - 1 of b
  logic [Words:1] at_q;
  logic [WordBits*Words-1:0] a_q;
  logic [WordBits-1:0] b_q[Words];

  assign at = {at_q, read_i};

  always_ff @(posedge clk_i) begin
    at_q <= at[Words-1:0];
    if (!rst_ni) at_q <= '0;
    for (int j = 0; j < Words; j++) begin
      if (at[j]) a_q[WordBits*j+:WordBits] <= rdata_i[j];
      if (at[j+1]) b_q[j] <= rdata_i[j];
    end
  end

  // Two digits of each word, in two steps. Words come twice as fast as they leave; none is
  // overwritten too early.
  logic [IndexBits-1:0] index_q, index_next;
  logic [WordBits-1:0] near[Half], far[Half];
  logic [WordBits-1:0] near_q, far_q;
  logic low_q, low;
  logic [3:0] pick_q;  // one-hot: {far, near} x {upper, lower digit}

  for (genvar i = 0; i < Half; i++) begin : gen_half
    assign near[i] = b_q[i];
    assign far[i]  = b_q[Half+i<Words?Half+i : Half];
  end

  eccel_inc #(.Width(IndexBits)) u_inc (.d_i(index_q), .q_o(index_next));

  assign low = !low_q && !at[Words-4];

  always_ff @(posedge clk_i) begin
    low_q <= low;
    if (low_q) index_q <= index_next;
    if (at[Words-4]) index_q <= '0;
    near_q    <= near[index_q[IndexBits-2:0]];
    far_q     <= far[index_q[IndexBits-2:0]];
    pick_q    <= 4'({!low, low}) << {index_q[IndexBits-1], 1'b0};
    digit_o   <= (near_q[DigitBits-1:0] & {DigitBits{pick_q[0]}}) |
                 (near_q[WordBits-1:DigitBits] & {DigitBits{pick_q[1]}}) |
                 (far_q[DigitBits-1:0] & {DigitBits{pick_q[2]}}) |
                 (far_q[WordBits-1:DigitBits] & {DigitBits{pick_q[3]}});
  end

  assign start_o = at[Words-1];
  assign a_o = a_q[Lanes*DigitBits-1:0];

endmodule
