// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A wide value becomes the words of a packet, lowest bits first.
//
// Parameters Width: bits of a word. Words >= 2: of a value.
// Guarantees A value is taken with valid_i && ready_o. last_o marks the last word of the packet.
// Latency    1 cycle to the first word. A word in each cycle, also from one value to the next.

module eccel_link_drain #(
    parameter int Width = 64,
    parameter int Words = 4
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [Words*Width-1:0] value_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [      Width-1:0] data_o,
    output logic                   last_o
);

  typedef logic [$clog2(Words+1)-1:0] count_t;
  count_t left_q;
  logic [Words*Width-1:0] value_q;

  assign valid_o = left_q != 0;
  assign last_o  = left_q == count_t'(1);
  assign ready_o = !valid_o || last_o && ready_i;
  assign data_o  = value_q[Width-1:0];

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) value_q <= value_i;
    else if (ready_i) value_q <= {Width'(0), value_q[Words*Width-1:Width]};
    if (rst_i) left_q <= '0;
    else if (valid_i && ready_o) left_q <= count_t'(Words);
    else if (valid_o && ready_i) left_q <= left_q - 1'b1;
  end

endmodule
