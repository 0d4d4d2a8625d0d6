// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Bit-parallel squarer of the study core: the square of an element, or the element. Combinational.
//
// Requires   value_i is an element of the field of eccel_study_programs_pkg.
// Guarantees result_o = value_i^2 modulo the polynomial of the field with square_i, else value_i.

module eccel_study_square
  import eccel_study_programs_pkg::*;
#(
    localparam int Width = Degree
) (
    input  logic [Width-1:0] value_i,
    input  logic             square_i,
    output logic [Width-1:0] result_o
);

  logic [2*Width-1:0] spread;
  logic [  Width-1:0] square;

  for (genvar i = 0; i < Width; i++) begin : gen_spread
    assign spread[2*i+:2] = {1'b0, value_i[i]};
  end

  eccel_gf2m_reduce #(
      .Poly (eccel_gf2m_pkg::polynomial(Fields, 0)),
      .Width(2 * Width)
  ) u_reduce (
      .value_i  (spread),
      .reduced_o(square)
  );

  assign result_o = square_i ? square : value_i;

endmodule
