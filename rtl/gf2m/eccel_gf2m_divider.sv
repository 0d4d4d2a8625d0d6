// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Quotient y / x in GF(2^m), in one of several named fields, by the extended Euclidean algorithm,
// one step in a cycle.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg).
// Requires   field_i < number of fields, constant from start_i until done_o. start_i comes with y_i
//            and x_i, elements of that field, not before done_o of the division before.
// Guarantees With done_o quotient_o = y / x, or 0 for x = 0. none_o, from then until the next
//            start_i: x was 0. After done_o no register here depends on x or y, except none_o and,
//            for x = 0, a multiple of y. Timing does not depend on data.
// Latency    done_o comes 2m + 1 cycles after start_i.
// After      D. J. Bernstein, B.-Y. Yang, CHES 2019 (divstep, 2m - 1 of them), starting at the
//            lowest coefficient. The invariants are f = v x / y and g = r x / y modulo the
//            polynomial; v and r start with 0 and y. A step adds one of f and g to the other if
//            that has a lowest coefficient 1, and divides by z; r is divided modulo the polynomial.
//            At the end f = 1, and v is the quotient.

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
  logic [Width:1] modulus, moduli[Count], f_q;  // without the lowest coefficient, which is 1
  logic [Width-1:0] g_q, v_q, r_q;
  logic [Width:0] sum;  // of v and r, as a step needs it
  logic swap, unused_none;

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    localparam logic [Width:0] One = 1;  // an exponent of 0 means no term: it gives this 1 again
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
