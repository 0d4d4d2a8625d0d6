// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Square in one of several named fields, combinational.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg).
// Requires   field_i < number of fields; value_i an element of that field, 0 above its degree.
// Guarantees square_o = value_i^2 mod the field's polynomial, 0 above its degree.

module eccel_gf2m_square
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 24'h000144,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields)
) (
    input  logic [IndexBits-1:0] field_i,
    input  logic [    Width-1:0] value_i,
    output logic [    Width-1:0] square_o
);

  logic [Width-1:0] squares[Count];

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    logic [2*Poly.m-2:0] spread;
    logic [Poly.m-1:0] square;

    for (genvar i = 0; i < 2 * Poly.m - 1; i++) begin : gen_spread
      assign spread[i] = i % 2 == 0 ? value_i[i/2] : 1'b0;
    end

    eccel_gf2m_reduce #(
        .Poly(Poly)
    ) u_reduce (
        .value_i(spread),
        .reduced_o(square)
    );

    assign squares[f] = Width'(square);
  end

  always_comb begin
    square_o = '0;
    for (int f = 0; f < Count; f++) begin
      if (field_i == unsigned'(IndexBits'(f))) square_o = square_o | squares[f];
    end
  end

endmodule
