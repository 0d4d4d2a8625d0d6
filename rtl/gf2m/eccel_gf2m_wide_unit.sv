// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Field unit of the binary engine for the fewest cycles: its multiplier has the width of the field
// and starts one product in each cycle. It replaces eccel_gf2m_unit and has the same ports, except
// for division.
//
// Parameters Fields: mask of the fields of the build (see eccel_gf2m_pkg). Levels, Leaf: see
//            eccel_gf2m_wide_core.
// Requires   as eccel_gf2m_unit.
// Guarantees as eccel_gf2m_unit, but a step changes only registers RegXs to RegZd and RegT2, which
//            keep their places.
// Interval   see eccel_gf2m_wide_issue.

module eccel_gf2m_wide_unit
  import eccel_gf2m_pkg::*;
  import eccel_gf2m_wide_pkg::*;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int Levels = 2,
    parameter int Leaf = 8,
    localparam int Count = count(Fields),
    localparam int IndexBits = Count > 1 ? $clog2(Count) : 1,
    localparam int Width = max_degree(Fields),
    localparam int WordBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [IndexBits-1:0] field_i,
    input logic [DegreeBits-1:0] degree_i,

    input  logic       valid_i,
    input  logic       step_i,
    input  operation_t operation_i,
    input  logic       take_i,
    output logic       ready_o,
    output logic       idle_o,
    output logic       zero_o,

    input  logic                port_begin_i,
    input  logic                port_shift_i,
    input  logic                port_write_i,
    input  logic                port_read_i,
    input  reg_t                port_reg_i,
    input  logic [WordBits-1:0] port_wdata_i,
    output logic [WordBits-1:0] port_rdata_o,

    // Trace: an operation is writing register rd_o.
    output logic done_o,
    output reg_t rd_o
);

  wide_control_t control;
  logic [Count-1:0] select_q;
  reg_t a_reg[2], a_read[2], b_reg[2], c_reg[2], write_reg, waddr_q;
  logic we, done_q, port_write_q;
  logic [Width-1:0] a[2], b[2], c[2], value, staged, wdata;

  logic unused_generic;
  assign unused_generic = degree_i != '0 || port_begin_i;

  assign done_o = done_q;
  assign rd_o = waddr_q;

  for (genvar f = 0; f < Count; f++) begin : gen_select
    always_ff @(posedge clk_i) select_q[f] <= field_i == unsigned'(IndexBits'(f));
  end

  eccel_gf2m_wide_issue u_issue (
      .clk_i,
      .rst_ni,
      .valid_i,
      .step_i,
      .operation_i,
      .take_i,
      .ready_o,
      .idle_o,
      .changed_i(port_write_i),
      .a_o      (a_reg),
      .b_o      (b_reg),
      .c_o      (c_reg),
      .we_o     (we),
      .waddr_o  (write_reg),
      .control_o(control)
  );

  eccel_gf2m_wide_core #(
      .Fields(Fields),
      .Levels(Levels),
      .Leaf  (Leaf)
  ) u_core (
      .clk_i,
      .select_i (select_q),
      .control_i(control),
      .a_i      (a),
      .b_i      (b),
      .c_i      (c),
      .value_o  (value),
      .zero_o
  );

  // ---- register file and port

  assign a_read = '{idle_o ? port_reg_i : a_reg[0], a_reg[1]};
  // A value comes one cycle after the number of its register.
  assign wdata = port_write_q ? staged : value;

  eccel_gf2m_file #(
      .Width(Width)
  ) u_file (
      .clk_i,
      .a_reg_i(a_read),
      .b_reg_i(b_reg),
      .c_reg_i(c_reg),
      .a_o    (a),
      .b_o    (b),
      .c_o    (c),
      .we_i   (done_q || port_write_q),
      .waddr_i(waddr_q),
      .wdata_i(wdata)
  );

  eccel_gf2m_stage #(
      .Width(Width)
  ) u_stage (
      .clk_i,
      .shift_i(port_shift_i),
      .read_i (port_read_i),
      .wdata_i(port_wdata_i),
      .rdata_o(port_rdata_o),
      .value_i(a[0]),
      .value_o(staged)
  );

  always_ff @(posedge clk_i) begin
    waddr_q <= port_write_i ? port_reg_i : write_reg;
    done_q <= we;
    port_write_q <= port_write_i;
    if (!rst_ni) begin
      done_q <= 1'b0;
      port_write_q <= 1'b0;
    end
  end

endmodule
