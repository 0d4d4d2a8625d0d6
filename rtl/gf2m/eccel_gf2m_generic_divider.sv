// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reciprocal in GF(2^m) by any polynomial of a degree up to Width that is given at run time, by the
//            extended Euclidean algorithm, one step in a cycle.
//
// Parameters Width: the largest degree.
// Requires   The polynomial is z^m + L, L of a degree below m. start_i comes with m = degree_i, 2
//            <= m <= Width, low_i = L z^(Width - m), and x_i, where x_i z^(m - Width) is an element
//            of the field; not before done_o of the division before.
// Guarantees With done_o quotient_o z^(m - Width) = 1 / (x_i z^(m - Width)), or 0 if x_i is 0 or
//            has a common factor with the polynomial. none_o, from then until the next start_i:
//            this was so. After done_o no register here holds a quotient. Timing does not depend on
//            data.
// Latency    done_o comes 2m + 1 cycles after start_i.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019, as eccel_gf2m_divider, but from the highest
//            coefficient, because elements are at the upper end of their registers; polynomials
//            have their coefficients in reverse order. So the lowest coefficient of f is that of
//            z^m, which is 1. v and r are not reduced: instead of dividing r by z, v is multiplied
//            by z, and coefficients that leave the lower end never come back. They start one place
//            too high, because v moves once more after the last step.

module eccel_gf2m_generic_divider
  import eccel_gf2m_pkg::DegreeBits;
#(
    parameter int Width = 255
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [DegreeBits-1:0] degree_i,
    input  logic [     Width-1:0] low_i,
    input  logic                  start_i,
    input  logic [     Width-1:0] x_i,
    output logic                  done_o,
    output logic [     Width-1:0] quotient_o,
    output logic                  none_o
);

  logic [Width-1:0] f_q;  // without its lowest coefficient, which is 1
  logic [Width-1:0] g_q;
  logic [Width:0] v_q, r_q;
  logic odd, swap, none;

  assign odd = g_q[Width-1];

  eccel_gf2m_divstep u_step (
      .clk_i,
      .rst_ni,
      .start_i,
      .degree_i,
      .odd_i   (odd),
      .swap_o  (swap),
      .done_o,
      .none_o  (none),
      .none_q_o(none_o)
  );

  assign quotient_o = v_q[Width-1:0];

  always_ff @(posedge clk_i) begin
    g_q <= g_q << 1 ^ (odd ? f_q : '0);
    r_q <= r_q ^ (odd ? v_q >> 1 : '0);
    v_q <= swap ? r_q : v_q >> 1;
    if (swap) f_q <= g_q << 1;
    if (start_i) begin
      f_q <= low_i;
      g_q <= x_i;
      r_q <= {1'b1, Width'(0)};
    end
    if (start_i || none || done_o) v_q <= '0;
  end

endmodule
