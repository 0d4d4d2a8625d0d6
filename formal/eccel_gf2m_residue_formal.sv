// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_gf2m_residue: its result is the remainder of a long division by the
// polynomial of the selected field, for every product of two elements of that field.

module eccel_gf2m_residue_formal
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0380000,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input logic [  Count-1:0] select_i,
    input logic [2*Width-2:0] value_i
);

  logic [Width-1:0] residue;

  eccel_gf2m_residue #(
      .Fields(Fields)
  ) u_residue (
      .select_i,
      .value_i,
      .residue_o(residue)
  );

  always_comb assume ($onehot(select_i));

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    // An exponent of 0 means that there is no such term: it sets the constant term once more.
    localparam logic [2*Width-2:0] One = 1;
    localparam logic [2*Width-2:0] Terms =
        One << Poly.m | One << Poly.e3 | One << Poly.e2 | One << Poly.e1 | One;
    logic [2*Width-2:0] rest;

    always_comb begin
      rest = value_i;
      for (int i = 2 * Width - 2; i >= Poly.m; i--) if (rest[i]) rest = rest ^ Terms << (i - Poly.m);
      if (select_i[f]) begin
        assume (value_i >> 2 * Poly.m - 1 == '0);
        assert (residue == rest[Width-1:0]);
      end
    end
  end

endmodule
