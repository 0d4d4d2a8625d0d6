// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Quotient in GF(2^m), one of several named fields: y / x by the extended algorithm of Euclid, a step a clock.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg).
// Requires   field_i < number of fields, constant from the cycle of start_i to done_o. start_i with y_i, x_i elements of that field,
//            not before done_o of the division before.
// Guarantees with done_o quotient_o = y / x, 0 for x = 0; none_o, from there to the next start_i: x was 0. Behind done_o nothing here
//            depends on x or y but that, and for x = 0 a multiple of y. No data-dependent timing.
// Latency    done_o is 2m + 1 cycles behind start_i.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019 (divstep, 2m - 1 of them), from the lower end: f = v x / y and g = r x / y modulo
//            the polynomial, to begin with 0 and y for v and r. A step adds one of f, g to the other where that has a coefficient
//            1 at its end, and divides by z, r modulo the polynomial as well. What is left is f = 1, whose v is the quotient.

module eccel_gf2m_divider
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [IndexBits-1:0] field_i,
    input  logic                 start_i,
    input  logic [    Width-1:0] y_i,
    input  logic [    Width-1:0] x_i,
    output logic                 done_o,
    output logic [    Width-1:0] quotient_o,
    output logic                 none_o
);

  logic [DegreeBits-1:0] degree, degrees[Count];
  logic [Width:1] modulus, moduli[Count], f_q;  // without the coefficient at the lower end, which is 1
  logic [Width-1:0] g_q, v_q, r_q;
  logic [Width:0] sum;  // of v and r, as a step needs it
  logic swap, unused_none;

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    localparam logic [Width:0] One = 1;  // also where an exponent of 0 stands for no term
    localparam logic [Width:0] Terms = One << Poly.m | One << Poly.e3 | One << Poly.e2 | One << Poly.e1 | One;
    logic selected;

    assign selected   = Count == 1 || field_i == unsigned'(IndexBits'(f));
    assign degrees[f] = selected ? unsigned'(DegreeBits'(Poly.m)) : '0;
    assign moduli[f]  = selected ? Terms[Width:1] : '0;
  end

  always_comb begin
    degree  = '0;
    modulus = '0;
    for (int f = 0; f < Count; f++) begin
      degree |= degrees[f];
      modulus |= moduli[f];
    end
  end

  eccel_gf2m_divstep u_step (
      .clk_i,
      .rst_ni,
      .start_i,
      .degree_i(degree),
      .odd_i   (g_q[0]),
      .swap_o  (swap),
      .done_o,
      .none_o  (unused_none),
      .none_q_o(none_o)
  );

  assign quotient_o = v_q;
  assign sum = {1'b0, r_q ^ (g_q[0] ? v_q : '0)};

  always_ff @(posedge clk_i) begin
    g_q <= Width'({1'b0, g_q[Width-1:1]} ^ (g_q[0] ? f_q : '0));
    r_q <= Width'((sum ^ (sum[0] ? {modulus, 1'b1} : '0)) >> 1);
    if (swap) begin
      f_q <= {1'b0, g_q[Width-1:1]};
      v_q <= r_q;
    end
    if (start_i) begin
      f_q <= modulus;
      g_q <= x_i;
      r_q <= y_i;
    end
    if (start_i || done_o) v_q <= '0;
  end

endmodule
