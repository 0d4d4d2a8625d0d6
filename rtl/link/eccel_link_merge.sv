// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Packets of several senders become one stream, in turn: the inverse of eccel_link_split.
//
// Parameters Width: bits of a word. Ways >= 2.
// Guarantees Packet i of the result comes from sender i modulo Ways, however long it takes.
// Latency    None. A word in each cycle.

module eccel_link_merge #(
    parameter int Width = 64,
    parameter int Ways = 2
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    input  logic [Ways-1:0]            valid_i,
    output logic [Ways-1:0]            ready_o,
    input  logic [Ways-1:0][Width-1:0] data_i,
    input  logic [Ways-1:0]            last_i,
    output logic                       valid_o,
    input  logic                       ready_i,
    output logic [Width-1:0]           data_o,
    output logic                       last_o
);

  logic [Ways-1:0] turn_q;  // one bit is 1

  assign valid_o = (valid_i & turn_q) != 0;
  assign last_o  = (last_i & turn_q) != 0;
  assign ready_o = ready_i ? turn_q : '0;

  always_comb begin
    data_o = '0;
    for (int i = 0; i < Ways; i++) data_o |= turn_q[i] ? data_i[i] : '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) turn_q <= Ways'(1);
    else if (valid_o && ready_i && last_o) turn_q <= {turn_q[Ways-2:0], turn_q[Ways-1]};
  end

endmodule
