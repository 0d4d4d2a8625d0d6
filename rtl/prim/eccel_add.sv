// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adder with gated operand: sum = a + b + c, a + ~b + c or a + c.
//
// Parameters Width >= 1.
// Requires   not both add_i and sub_i.
// Guarantees sum_o = a_i + (add_i ? b_i : sub_i ? ~b_i : 0) + c_i, carry in bit Width. Combinational, one carry chain.
//
// The twins put the gate into the LUT of the carry cell: no level of logic in front of the chain. It also keeps
// synthesis from merging chained additions into compressor trees, which cost twice the cells.

module eccel_add #(
    parameter int Width = 16
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             add_i,
    input  logic             sub_i,
    input  logic             c_i,
    output logic [  Width:0] sum_o
);

  logic [Width-1:0] b;
  logic unused_carry;

  // {a, 1} + {b, c} keeps the carry-in on the one chain.
  assign b = (b_i & {Width{add_i}}) | (~b_i & {Width{sub_i}});
  assign {sum_o, unused_carry} = {1'b0, a_i, 1'b1} + {1'b0, b, c_i};

endmodule
