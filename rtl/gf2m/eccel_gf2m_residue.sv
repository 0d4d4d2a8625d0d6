// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction of a whole product in one of several named fields, combinational.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg).
// Requires   select_i has one bit for each field; only that of the field in use is 1. value_i is 0
//            from coefficient 2 m - 1 upwards, m the degree of the field.
// Guarantees residue_o = value_i mod the polynomial of the field, 0 from coefficient m upwards.
// Depth      see eccel_gf2m_reduce.

module eccel_gf2m_residue
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input  logic [    Count-1:0] select_i,
    input  logic [2*Width-2:0] value_i,
    output logic [    Width-1:0] residue_o
);

  logic [Width-1:0] residues[Count];

  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    logic [Poly.m-1:0] residue;

    eccel_gf2m_reduce #(
        .Poly(Poly)
    ) u_reduce (
        .value_i(value_i[2*Poly.m-2:0]),
        .reduced_o(residue)
    );

    assign residues[f] = Count == 1 || select_i[f] ? Width'(residue) : '0;
  end

  always_comb begin
    residue_o = '0;
    for (int f = 0; f < Count; f++) residue_o = residue_o ^ residues[f];
  end

endmodule
