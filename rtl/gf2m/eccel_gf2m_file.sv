// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Registers of the full-width field unit, a copy for each operand and candidate, and the staging register before them.
//
// Parameters Width of a register.
// Requires   port_*: as eccel_gf2m_unit says; port_write_i not with we_i. value_i in the cycle behind we_i.
// Guarantees a_o, b_o, c_o: registers a_reg_i, b_reg_i, c_reg_i of two cycles before; a word can be addressed from the second cycle behind
//            its we_i on. port_rdata_o: the lowest word of the staging register.

module eccel_gf2m_file
  import eccel_gf2m_pkg::*;
#(
    parameter int Width = 163,
    localparam int WordBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input  reg_t             a_reg_i[2],
    input  reg_t             b_reg_i[2],
    input  reg_t             c_reg_i[2],
    output logic [Width-1:0] a_o[2],
    output logic [Width-1:0] b_o[2],
    output logic [Width-1:0] c_o[2],

    input logic             we_i,
    input reg_t             reg_i,
    input logic [Width-1:0] value_i,

    input  logic                port_shift_i,
    input  logic                port_write_i,
    input  logic                port_read_i,
    input  reg_t                port_reg_i,
    input  logic [WordBits-1:0] port_wdata_i,
    output logic [WordBits-1:0] port_rdata_o
);

  localparam int StageBits = (Width + WordBits - 1) / WordBits * WordBits;

  logic write_q, write_port_q;
  reg_t waddr_q;
  reg_t read_reg[6];
  logic [Width-1:0] wdata;
  logic [StageBits-1:0] stage_q;

  assign port_rdata_o = stage_q[WordBits-1:0];
  assign wdata = write_port_q ? stage_q[Width-1:0] : value_i;

  for (genvar i = 0; i < 2; i++) begin : gen_address
    assign read_reg[i] = a_reg_i[i];
    assign read_reg[2+i] = b_reg_i[i];
    assign read_reg[4+i] = c_reg_i[i];
  end

  for (genvar i = 0; i < 6; i++) begin : gen_copy
    logic [Width-1:0] rdata;

    eccel_ram #(
        .Width(Width),
        .Depth(2 ** RegBits)
    ) u_ram (
        .clk_i  (clk_i),
        .we_i   (write_q),
        .waddr_i(waddr_q),
        .wdata_i(wdata),
        .raddr_i(read_reg[i]),
        .rdata_o(rdata)
    );

    if (i / 2 == 0) begin : gen_a
      assign a_o[i%2] = rdata;
    end else if (i / 2 == 1) begin : gen_b
      assign b_o[i%2] = rdata;
    end else begin : gen_c
      assign c_o[i%2] = rdata;
    end
  end

  always_ff @(posedge clk_i) begin
    write_port_q <= port_write_i;
    waddr_q <= port_write_i ? port_reg_i : reg_i;
    if (port_read_i) stage_q <= StageBits'(a_o[0]);
    else if (port_shift_i) stage_q <= StageBits'({port_wdata_i, stage_q} >> WordBits);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) write_q <= 1'b0;
    else write_q <= we_i || port_write_i;
  end

endmodule
