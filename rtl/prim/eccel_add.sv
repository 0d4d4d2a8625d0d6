// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adder with gated operand: a + b + c, a + ~b + c or a + c.
//
// Parameters Width >= 1.
// Requires   At most one of add_i and sub_i is 1.
// Guarantees sum_o = a_i + (add_i ? b_i : sub_i ? ~b_i : 0) + c_i, with the carry in bit Width.
//            Combinational, one carry chain.
//
// The vendor twins put the gate into the LUTs of the carry chain, so that no level of logic
// precedes it. The module also keeps synthesis from merging chained additions into compressor
// trees, which need twice the cells.

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
