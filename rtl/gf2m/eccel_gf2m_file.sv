// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Register file of the binary field unit: one copy for each of the two candidates of three
// operands.
//
// Parameters Width of a register.
// Requires   waddr_i and wdata_i come with we_i.
// Guarantees a_o, b_o, c_o are the registers a_reg_i, b_reg_i, c_reg_i of two cycles before. A
//            value that is written can be addressed from the next cycle.

module eccel_gf2m_file
  import eccel_gf2m_pkg::*;
#(
    parameter int Width = 163
) (
    input logic clk_i,

    input  reg_t             a_reg_i[2],
    input  reg_t             b_reg_i[2],
    input  reg_t             c_reg_i[2],
    output logic [Width-1:0] a_o[2],
    output logic [Width-1:0] b_o[2],
    output logic [Width-1:0] c_o[2],

    input logic             we_i,
    input reg_t             waddr_i,
    input logic [Width-1:0] wdata_i
);

  localparam int Copies = 6;

  reg_t reg_numbers[Copies];
  logic [Width-1:0] values[Copies];

  for (genvar i = 0; i < 2; i++) begin : gen_candidate
    assign reg_numbers[i] = a_reg_i[i];
    assign reg_numbers[2+i] = b_reg_i[i];
    assign reg_numbers[4+i] = c_reg_i[i];
    assign a_o[i] = values[i];
    assign b_o[i] = values[2+i];
    assign c_o[i] = values[4+i];
  end

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    eccel_ram #(
        .Width(Width),
        .Depth(2 ** RegBits)
    ) u_ram (
        .clk_i,
        .clr_i(1'b0),
        .we_i,
        .waddr_i,
        .wdata_i,
        .raddr_i(reg_numbers[i]),
        .rdata_o(values[i])
    );
  end

endmodule
