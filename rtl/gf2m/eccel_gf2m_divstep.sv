// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Which of two polynomials each step of a division adds to the other, and when the steps are done.
//
// Requires   start_i with degree_i = m, 1 <= m < 2^DegreeBits, not before done_o of the division before. odd_i in the cycle of a
//            step: g has its lowest coefficient.
// Guarantees steps in the 2m - 1 cycles behind start_i, done_o in the second cycle behind the last of them. swap_o, in the cycle of
//            a step: f and g change places before g + f becomes g. none_o, in the cycle between: they have a factor in common, or
//            g was 0; none_q_o: the same from done_o to the next start_i. done_o depends on start_i and degree_i only.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019, 3 and 6: divstep with delta = 1 to begin with, of which half is the degree of
//            the common factor in the end. minus_q is - delta, so that - (1 - delta) and - (1 + delta) are ~minus_q and minus_q - 1.

module eccel_gf2m_divstep
  import eccel_gf2m_pkg::DegreeBits;
(
    input logic clk_i,
    input logic rst_ni,

    input  logic                  start_i,
    input  logic [DegreeBits-1:0] degree_i,
    input  logic                  odd_i,
    output logic                  swap_o,
    output logic                  done_o,
    output logic                  none_o,
    output logic                  none_q_o
);

  logic busy_q, end_q, done_q, none_q;
  logic [DegreeBits:0] left_q;
  logic [DegreeBits+1:0] minus_q;

  assign swap_o = minus_q[DegreeBits+1] && odd_i;
  assign done_o = done_q;
  assign none_o = end_q && minus_q != '0;
  assign none_q_o = none_q;

  always_ff @(posedge clk_i) begin
    left_q <= left_q - 1'b1;
    if (swap_o) minus_q <= ~minus_q;
    else minus_q <= minus_q - 1'b1;
    if (end_q) none_q <= none_o;
    if (start_i) begin
      left_q  <= {degree_i - 1'b1, 1'b0};
      minus_q <= '1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      end_q  <= 1'b0;
      done_q <= 1'b0;
    end else begin
      busy_q <= start_i || busy_q && left_q != '0;
      end_q  <= busy_q && left_q == '0;
      done_q <= end_q;
    end
  end

endmodule
