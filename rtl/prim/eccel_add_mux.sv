// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adder with selected operand: a + b or a + c.
//
// Parameters Width >= 1.
// Guarantees sum_o = a_i + (sel_i ? b_i : c_i) modulo 2^Width. Combinational, one carry chain.
//
// The vendor twins put the multiplexer into the LUTs of the carry chain, so that no level of logic
// precedes it.

module eccel_add_mux #(
    parameter int Width = 16
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic [Width-1:0] c_i,
    input  logic             sel_i,
    output logic [Width-1:0] sum_o
);

  assign sum_o = a_i + (sel_i ? b_i : c_i);

endmodule
