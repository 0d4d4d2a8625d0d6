// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Reduction in one of several named fields, combinational.
//
// Parameters Fields: the build's mask (eccel_gf2m_pkg); Over: coefficients above the field's degree m.
// Requires   select_i: one bit for the field, all others 0; value_i: 0 from m + Over on, and from 2 m - 1 on.
// Guarantees reduced_o = value_i mod the field's polynomial, 0 from m on.
// Depth      see eccel_gf2m_reduce.

module eccel_gf2m_fold
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 24'h000144,
    parameter int Over = 64,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input  logic [     Count-1:0] select_i,
    input  logic [Width+Over-1:0] value_i,
    output logic [     Width-1:0] reduced_o
);

  logic [Width-1:0] changes[Count];

  // What reduction changes: most coefficients of a value are the same in all fields.
  for (genvar f = 0; f < Count; f++) begin : gen_field
    localparam poly_t Poly = polynomial(Fields, f);
    localparam int Whole = Poly.m + (Over < Poly.m ? Over : Poly.m - 1);
    logic [Poly.m-1:0] reduced;

    eccel_gf2m_reduce #(
        .Poly (Poly),
        .Width(Whole)
    ) u_reduce (
        .value_i(value_i[Whole-1:0]),
        .reduced_o(reduced)
    );

    assign changes[f] = select_i[f] ? Width'(reduced) ^ value_i[Width-1:0] : '0;
  end

  always_comb begin
    reduced_o = value_i[Width-1:0];
    for (int f = 0; f < Count; f++) reduced_o = reduced_o ^ changes[f];
  end

endmodule
