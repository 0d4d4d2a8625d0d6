// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Control of a division in GF(2^m): decides in each step which of two polynomials f and g is added
// to the other, and counts the steps.
//
// Requires   start_i comes with degree_i = m, 1 <= m < 2^DegreeBits, not before done_o of the
//            division before. odd_i, in each step: the lowest coefficient of g is 1.
// Guarantees Steps run in the 2m - 1 cycles after start_i. done_o comes in the second cycle after
//            the last step. swap_o, in each step: f and g change places before g + f replaces g.
//            none_o, in the cycle between the last step and done_o: f and g have a common factor,
//            or g was 0. none_q_o is the same from done_o until the next start_i. done_o depends on
//            start_i and degree_i only.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019, sections 3 and 6: divstep, with delta = 1 at
//            the start. At the end half of delta is the degree of the common factor. minus_q is
//            -delta, so that -(1 - delta) is ~minus_q and -(1 + delta) is minus_q - 1.

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
