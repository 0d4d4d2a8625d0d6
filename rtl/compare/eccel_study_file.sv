// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register file of the study core: two registers are read in the cycle of their addresses.
//
// Parameters Width of a register; Depth >= 2, the number of registers.
// Requires   a_i, b_i, d_i < Depth, d_i with we_i.
// Guarantees a_o and b_o are the registers a_i and b_i; a register has the value of we_i from the
//            next cycle.

module eccel_study_file #(
    parameter int Width = 163,
    parameter int Depth = 16,
    localparam int AddressBits = $clog2(Depth)
) (
    input logic clk_i,

    input  logic [AddressBits-1:0] a_i,
    input  logic [AddressBits-1:0] b_i,
    output logic [      Width-1:0] a_o,
    output logic [      Width-1:0] b_o,

    input logic                   we_i,
    input logic [AddressBits-1:0] d_i,
    input logic [      Width-1:0] wdata_i
);

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem[Depth];

  assign a_o = mem[a_i];
  assign b_o = mem[b_i];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[d_i] <= wdata_i;
  end

endmodule
