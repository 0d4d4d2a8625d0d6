// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// A multiplier for the tests of the bench: `*` behind registers, with any latency and interval.

module eccel_mul_sample #(
    parameter int Bits = 8,
    parameter int Latency = 5,
    parameter int Interval = 3
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  logic [Latency-1:0] valid_q;
  logic [2*Bits-1:0] p_q[Latency];
  int count_q;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Interval);
  assign ready_o    = count_q == 0;
  assign valid_o    = valid_q[Latency-1];
  assign p_o        = p_q[Latency-1];

  always_ff @(posedge clk_i) begin
    valid_q <= Latency'({valid_q, valid_i && ready_o});
    p_q[0]  <= (2 * Bits)'(a_i) * (2 * Bits)'(b_i);
    for (int i = 1; i < Latency; i++) p_q[i] <= p_q[i-1];
    if (valid_i && ready_o) count_q <= Interval - 1;
    else if (count_q != 0) count_q <= count_q - 1;
    if (rst_i) begin
      valid_q <= '0;
      count_q <= 0;
    end
  end

endmodule
