// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Operands of a product for eccel_karatsuba_array, from the streams of the register file, as
// eccel_turbo_factors does it for eccel_comba_array.
//
// Parameters DigitBits; the operands have 8 words of two digits.
// Requires   read_i comes at most every 16 cycles. rdata_i[j] is word j of a j cycles after read_i,
//            and word j of b one cycle later.
// Guarantees start_o, a_o and digits_o are as eccel_karatsuba_array requires start_i, a_i and b_i.
// Latency    start_o comes 6 cycles after read_i: the upper half of b is just in time.

module eccel_karatsuba_factors #(
    parameter int DigitBits = 16,
    localparam int Words = 8,
    localparam int WordBits = 2 * DigitBits
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                read_i,
    input logic [WordBits-1:0] rdata_i[Words],

    output logic                      start_o,
    output logic [WordBits*Words-1:0] a_o,
    output logic [   2*DigitBits-1:0] digits_o
);

  localparam int Half = Words / 2;

  logic [Words:0] at;  // word j of a, word j - 1 of b
  logic [Words:1] at_q;
  logic [WordBits*Words-1:0] a_q;
  logic [WordBits-1:0] near_b_q[Half], far_b_q[Half];

  assign at = {at_q, read_i};

  always_ff @(posedge clk_i) begin
    at_q <= at[Words-1:0];
    if (!rst_ni) at_q <= '0;
    for (int j = 0; j < Words; j++) begin
      if (at[j]) a_q[WordBits*j+:WordBits] <= rdata_i[j];
    end
    for (int j = 0; j < Half; j++) begin
      if (at[j+1]) near_b_q[j] <= rdata_i[j];
      if (at[Half+j+1]) far_b_q[j] <= rdata_i[Half+j];
    end
  end

  // A word of each half lasts two cycles, and all of them come twice. The upper half is two cycles
  // behind. No word is overwritten too early.
  logic [1:0] index_q[3], index_next;  // as many cycles ago
  logic [WordBits-1:0] near_q, far_q;
  logic low_q;
  logic [2:0] pick_q;  // the lower digit, as many cycles ago

  eccel_inc #(.Width(2)) u_inc (.d_i(index_q[0]), .q_o(index_next));

  always_ff @(posedge clk_i) begin
    low_q <= !low_q && !at[3];
    if (low_q) index_q[0] <= index_next;
    if (at[3]) index_q[0] <= '0;
    index_q[1:2] <= index_q[0:1];
    near_q <= near_b_q[index_q[0]];
    far_q  <= far_b_q[index_q[2]];
    pick_q <= {pick_q[1:0], !low_q};
    digits_o[DigitBits-1:0] <= pick_q[0] ? near_q[DigitBits-1:0] : near_q[WordBits-1:DigitBits];
    digits_o[2*DigitBits-1:DigitBits] <= pick_q[2] ? far_q[DigitBits-1:0]
                                                   : far_q[WordBits-1:DigitBits];
  end

  assign start_o = at[6];
  assign a_o = a_q;

endmodule
