// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register for an element of one of several named fields, followed by the square of the element.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg).
// Requires   select_i has one bit for each field; only that of the field in use is 1, constant from
//            two cycles before enable_i. value_i comes with enable_i: an element of that field, 0
//            from its degree upwards.
// Guarantees square_o is the square of the last value_i with enable_i, 0 from the degree of the
//            field upwards.

module eccel_gf2m_square
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    localparam int Count = count(Fields),
    localparam int Width = max_degree(Fields)
) (
    input  logic             clk_i,
    input  logic             enable_i,
    input  logic [Count-1:0] select_i,
    input  logic [Width-1:0] value_i,
    output logic [Width-1:0] square_o
);

  logic [2*Width-1:0] spread;

  for (genvar i = 0; i < Width; i++) begin : gen_spread
    assign spread[2*i+:2] = {1'b0, value_i[i]};
  end

  eccel_gf2m_fold #(
      .Fields(Fields),
      .Over  (Width)
  ) u_fold (
      .clk_i,
      .enable_i,
      .select_i (select_i),
      .value_i  (spread),
      .reduced_o(square_o)
  );

endmodule
