// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Staging register between the words of the port and a register of the unit.
//
// Parameters Width of a register.
// Requires   To write: shift_i with each word wdata_i of a value, least significant word first, as
//            many words as Width takes. To read: read_i with value_i, then shift_i after each word
//            that was used. At most one of the two comes in a cycle.
// Guarantees After the words of a value, value_o is the value. After read_i rdata_o is the lowest
//            word of value_i, after each shift_i the next one.

module eccel_gf2m_stage #(
    parameter int Width = 163,
    localparam int WordBits = 32,
    localparam int StageBits = (Width + WordBits - 1) / WordBits * WordBits
) (
    input logic clk_i,

    input  logic                shift_i,
    input  logic                read_i,
    input  logic [WordBits-1:0] wdata_i,
    output logic [WordBits-1:0] rdata_o,
    input  logic [   Width-1:0] value_i,
    output logic [   Width-1:0] value_o
);

  logic [StageBits-1:0] stage_q;

  assign rdata_o = stage_q[WordBits-1:0];
  assign value_o = stage_q[Width-1:0];

  always_ff @(posedge clk_i) begin
    if (read_i) stage_q <= StageBits'(value_i);
    else if (shift_i) stage_q <= StageBits'({wdata_i, stage_q} >> WordBits);
  end

endmodule
