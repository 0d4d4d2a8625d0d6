// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction modulo one polynomial of eccel_gf2m_pkg, hard-wired, combinational.
//
// Parameters Poly, of degree m; Width coefficients in, m <= Width.
// Requires   nothing.
// Guarantees reduced_o = value_i mod Poly.
// Depth      trinomials with e3 <= m / 2 and value_i a product: 5 terms of value_i to a coefficient, pentanomials about 10.

module eccel_gf2m_reduce
  import eccel_gf2m_pkg::*;
#(
    parameter poly_t Poly = Table[2],
    parameter int Width = 2 * Poly.m - 1
) (
    input  logic [ Width-1:0] value_i,
    output logic [Poly.m-1:0] reduced_o
);

  localparam int Folds = folds(Poly.m, Poly.e3, Width);
  localparam logic [Width-1:0] Low = Width'({Poly.m{1'b1}});

  always_comb begin
    logic [Width-1:0] value, high;

    value = value_i;
    // z^m = z^e3 + z^e2 + z^e1 + 1: what stands above moves down to each of these places.
    for (int i = 0; i < Folds; i++) begin
      high  = value >> Poly.m;
      value = (value & Low) ^ high ^ high << Poly.e3;
      if (Poly.e2 != 0) value = value ^ high << Poly.e2;
      if (Poly.e1 != 0) value = value ^ high << Poly.e1;
    end
    reduced_o = value[Poly.m-1:0];
  end

endmodule
