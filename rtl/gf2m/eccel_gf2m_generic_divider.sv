// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reciprocal in GF(2^m) by the extended algorithm of Euclid, by any polynomial of a degree up to Width, given at run time.
//
// Parameters Width: the largest degree.
// Requires   the polynomial z^m + L, L of a degree below m; in the cycle of start_i m = degree_i, 2 <= m <= Width, low_i =
//            L z^(Width - m), and x_i z^(m - Width) an element of the field. Not before done_o of the division before.
// Guarantees with done_o quotient_o z^(m - Width) = 1 / (x_i z^(m - Width)); 0 for 0, and where x_i has a factor in
//            common with the polynomial. none_o, from there to the next start_i: one of these. Behind done_o no quotient is here
//            any more. No data-dependent timing.
// Latency    done_o is 2m + 1 cycles behind start_i.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019, as eccel_gf2m_divider, but from the upper end, where elements stand here,
//            with polynomials whose coefficients come in the other order. So f has the coefficient of z^m, 1, at its end.
//            v and r are not reduced: instead of r divided by z, v is multiplied by it, and all that leaves the lower end never
//            comes back. They begin a place too high, as v moves once more behind the last step.

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

  logic [Width-1:0] f_q;  // without its first coefficient, which is 1
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
