// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Words of a packet become one wide value, word 0 in the lowest bits.
//
// Parameters Width: bits of a word. Words >= 2: of a value.
// Requires   Every packet has Words words.
// Guarantees value_o is stable while valid_o && !ready_i.
// Latency    1 cycle after the last word. If the value is taken at once, there is a word in each
//            cycle, also from one packet to the next.

module eccel_link_feed #(
    parameter int Width = 64,
    parameter int Words = 4
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [      Width-1:0] data_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [Words*Width-1:0] value_o
);

  typedef logic [$clog2(Words+1)-1:0] count_t;
  count_t count_q;

  assign valid_o = count_q == count_t'(Words);
  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) value_o <= {data_i, value_o[Words*Width-1:Width]};
    if (rst_i) count_q <= '0;
    else if (valid_o && ready_i) count_q <= count_t'(valid_i);
    else if (valid_i && ready_o) count_q <= count_q + 1'b1;
  end

endmodule
