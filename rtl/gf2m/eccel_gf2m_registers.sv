// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Registers of the binary field unit with their write port, and the port by which values enter and
// leave.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg).
// Requires   a_reg_i, b_reg_i, c_reg_i are the registers to read. we_i with waddr_i: product_i, or
//            with after_soon_i whole_i, is to be written. divide_done_i: quotient_i is to be
//            written to RegInv. port_begin_i starts a transfer. Then each port_shift_i shifts
//            port_wdata_i into the staging register, least significant word first, until a whole
//            value has come. After that port_write_i writes it to register port_waddr_i.
//            port_read_i copies the value a_o[0] to the staging register. At most one port_*
//            request, one result or one quotient comes in a cycle. degree_i = m in generic builds.
// Guarantees a_o, b_o, c_o are the registers selected two cycles before. A value can be selected
//            two cycles after the request to write it. port_rdata_o is the lowest word of the
//            staging register. low_o, in generic builds, is the last value that the port wrote to
//            RegPoly. changed_o, one cycle after the request: the port or a division writes a
//            register. done_o: an operation or a division is writing register rd_o.

module eccel_gf2m_registers
  import eccel_gf2m_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    localparam int Width = max_degree(Fields),
    localparam int WordBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [DegreeBits-1:0] degree_i,

    input  reg_t             a_reg_i[2],
    input  reg_t             b_reg_i[2],
    input  reg_t             c_reg_i[2],
    output logic [Width-1:0] a_o[2],
    output logic [Width-1:0] b_o[2],
    output logic [Width-1:0] c_o[2],

    input logic             we_i,
    input reg_t             waddr_i,
    input logic [Width-1:0] product_i,
    input logic             after_soon_i,
    input logic [Width-1:0] whole_i,
    input logic             divide_done_i,
    input logic [Width-1:0] quotient_i,

    input  logic                port_begin_i,
    input  logic                port_shift_i,
    input  logic                port_write_i,
    input  logic                port_poly_i,  // the register written is RegPoly
    input  logic                port_read_i,
    input  reg_t                port_waddr_i,
    input  logic [WordBits-1:0] port_wdata_i,
    output logic [WordBits-1:0] port_rdata_o,
    output logic [   Width-1:0] low_o,

    output logic changed_o,
    output logic done_o,
    output reg_t rd_o
);

  logic [Width-1:0] staged, other_value, wdata_q;
  logic takes_product, write_q, done_q, changed_q;
  reg_t waddr_q;

  // ---- the port

  if (generic_build(Fields)) begin : gen_generic
    logic [Width-1:0] low_q;

    assign low_o = low_q;

    always_ff @(posedge clk_i) begin
      if (port_write_i && port_poly_i) low_q <= staged;
    end

    eccel_gf2m_generic_stage #(
        .Width(Width)
    ) u_stage (
        .clk_i,
        .degree_i,
        .begin_i(port_begin_i),
        .shift_i(port_shift_i),
        .read_i (port_read_i),
        .wdata_i(port_wdata_i),
        .rdata_o(port_rdata_o),
        .value_i(a_o[0]),
        .value_o(staged)
    );
  end else begin : gen_named
    logic unused_generic;

    assign unused_generic = degree_i != '0 || port_begin_i || port_poly_i;
    assign low_o = '0;

    eccel_gf2m_stage #(
        .Width(Width)
    ) u_stage (
        .clk_i,
        .shift_i(port_shift_i),
        .read_i (port_read_i),
        .wdata_i(port_wdata_i),
        .rdata_o(port_rdata_o),
        .value_i(a_o[0]),
        .value_o(staged)
    );
  end

  // ---- registers: all inputs of their write ports come from flip-flops

  eccel_gf2m_file #(
      .Width(Width)
  ) u_file (
      .clk_i,
      .a_reg_i,
      .b_reg_i,
      .c_reg_i,
      .a_o,
      .b_o,
      .c_o,
      .we_i   (write_q),
      .waddr_i(waddr_q),
      .wdata_i(wdata_q)
  );

  assign takes_product = !divide_done_i && !port_write_i && !after_soon_i;

  always_comb begin
    other_value = whole_i;
    if (port_write_i) other_value = staged;
    if (divide_done_i) other_value = quotient_i;
    if (takes_product) other_value = '0;
  end

  always_ff @(posedge clk_i) begin
    // A product comes late in the cycle: only one gate may follow it.
    wdata_q <= other_value | (takes_product ? product_i : '0);
    changed_q <= port_write_i || divide_done_i;
    waddr_q <= divide_done_i ? RegInv : port_write_i ? port_waddr_i : waddr_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q  <= 1'b0;
      write_q <= 1'b0;
    end else begin
      done_q  <= we_i || divide_done_i;
      write_q <= we_i || port_write_i || divide_done_i;
    end
  end

  assign changed_o = changed_q;
  assign done_o = done_q;
  assign rd_o = waddr_q;

endmodule
