// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Property of eccel_gf2m_stage for registers of two words: words that are shifted in form the
// value, least significant word first, and a value that was read leaves as its words in the same
// order.

module eccel_gf2m_stage_formal #(
    parameter int Width = 40
) (
    input logic             clk_i,
    input logic             shift_i,
    input logic             read_i,
    input logic [     31:0] wdata_i,
    input logic [Width-1:0] value_i
);

  logic [31:0] rdata;
  logic [Width-1:0] value;

  eccel_gf2m_stage #(
      .Width(Width)
  ) u_stage (
      .clk_i,
      .shift_i,
      .read_i,
      .wdata_i,
      .rdata_o(rdata),
      .value_i,
      .value_o(value)
  );

  // The requests of one and of two cycles before.
  logic [1:0] shift_q = '0, read_q = '0;
  logic [31:0] wdata_q, wdata_late_q;
  logic [Width-1:0] value_q, value_late_q;

  always_ff @(posedge clk_i) begin
    shift_q      <= {shift_q[0], shift_i};
    read_q       <= {read_q[0], read_i};
    wdata_q      <= wdata_i;
    wdata_late_q <= wdata_q;
    value_q      <= value_i;
    value_late_q <= value_q;
  end

  always_comb begin
    assume (!(shift_i && read_i));
    assume (!(shift_q[0] && read_q[0]) && !(shift_q[1] && read_q[1]));
    if (&shift_q) assert (value == Width'({wdata_q, wdata_late_q}));
    if (read_q[0]) assert (rdata == value_q[31:0]);
    if (read_q[1] && shift_q[0]) assert (rdata == 32'(value_late_q >> 32));
  end

endmodule
