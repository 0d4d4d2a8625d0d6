// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Packets go to several receivers in turn.
//
// Parameters Width: bits of a word. Ways >= 2.
// Guarantees Packet i goes to receiver i modulo Ways.
// Latency    None. A word in each cycle.

module eccel_link_split #(
    parameter int Width = 64,
    parameter int Ways = 2
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    input  logic             last_i,
    output logic [ Ways-1:0] valid_o,
    input  logic [ Ways-1:0] ready_i,
    output logic [Width-1:0] data_o,
    output logic             last_o
);

  logic [Ways-1:0] turn_q;  // one bit is 1

  assign valid_o = valid_i ? turn_q : '0;
  assign ready_o = (ready_i & turn_q) != 0;
  assign data_o  = data_i;
  assign last_o  = last_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) turn_q <= Ways'(1);
    else if (valid_i && ready_o && last_i) turn_q <= {turn_q[Ways-2:0], turn_q[Ways-1]};
  end

endmodule
