// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adder that inverts constant positions of one operand: a + (b ^ Invert) + c.
//
// Parameters Width >= 1. Invert: the positions of b that are inverted.
// Guarantees sum_o = a_i + (b_i ^ Invert) + c_i, with the carry in bit Width. Combinational, one
//            carry chain.
//
// The inverters cost nothing: they are part of the LUTs of the carry chain, on ECP5 by the vendor
// twin. The module also keeps synthesis from merging chained additions into compressor trees,
// which need twice the cells.

module eccel_add_invert #(
    parameter int Width = 16,
    parameter logic [Width-1:0] Invert = '0
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             c_i,
    output logic [  Width:0] sum_o
);

  logic unused_carry;

  // c + c below the lowest bit brings the carry in, on the one chain and without a LUT.
  assign {sum_o, unused_carry} = {1'b0, a_i, c_i} + {1'b0, b_i ^ Invert, c_i};

endmodule
