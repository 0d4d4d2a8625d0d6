// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction modulo one polynomial of eccel_gf2m_pkg, hard-wired and combinational.
//
// Parameters Poly, of degree m; Width: coefficients of value_i, m <= Width.
// Guarantees reduced_o = value_i mod Poly.
// Depth      For a product as value_i: a trinomial with e3 <= m / 2 adds 5 terms for each
//            coefficient, a pentanomial about 10.

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
    // z^m = z^e3 + z^e2 + z^e1 + 1: the coefficients from z^m upwards move down to each of these
    // places.
    for (int i = 0; i < Folds; i++) begin
      high  = value >> Poly.m;
      value = (value & Low) ^ high ^ high << Poly.e3;
      if (Poly.e2 != 0) value = value ^ high << Poly.e2;
      if (Poly.e1 != 0) value = value ^ high << Poly.e1;
    end
    reduced_o = value[Poly.m-1:0];
  end

endmodule
