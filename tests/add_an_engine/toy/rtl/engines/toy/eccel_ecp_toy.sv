// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Toy elliptic-curve processor (ECP): eccel_control and the toy field unit. It runs modular
// arithmetic on numbers of at most 32 bits, which packets hold in elements of six words.
//
// Parameters UcodeFile: microcode image of UcodeDepth words.
// Guarantees Every packet gets one response. The number of cycles depends on operation, flags and
//            public operands only.

module eccel_ecp_toy
  import eccel_engine_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter UcodeFile = "ucode_toy.hex",
    parameter int UcodeDepth = 2048
) (
    input logic clk_i,
    input logic rst_ni,

    input  packet_t req_i,
    output logic    req_ready_o,
    output packet_t rsp_o,
    input  logic    rsp_ready_i,

    input  entropy_t ent_i,
    output logic     ent_ready_o,

    input  logic zeroise_i,
    output logic busy_o,
    output logic alarm_o
);

  localparam int MaxWords = 6;
  localparam int IndexBits = 4;  // the mover moves MaxWords + 3 words

  unit_op_t fu;
  unit_setting_t fu_setting;
  logic modulus_q, fu_zero, fu_carry, rf_we, unused_rst_n;
  logic [6+IndexBits-1:0] rf_addr;
  logic [31:0] rf_wdata, rf_rdata;

  logic [4:0] unused_words;
  move_t unused_move;
  logic unused_sel, unused_mv_busy, unused_mv_word, unused_zeroise;

  eccel_control #(
      .DigitBits (32),
      .IndexBits (IndexBits),
      .MaxWords  (MaxWords),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth)
  ) u_control (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .ent_i,
      .ent_ready_o,
      .zeroise_i,
      .zeroise_o   (unused_zeroise),
      .busy_o,
      .alarm_o,
      .unit_rst_no (unused_rst_n),
      .words_o     (unused_words),
      .fu_o        (fu),
      .fu_ready_i  (1'b1),
      .fu_sel_o    (unused_sel),
      .fu_idle_i   (1'b1),
      .fu_zero_i   (fu_zero),
      .fu_carry_i  (fu_carry),
      .fu_setting_o(fu_setting),
      .fu_facts_i  ('0),
      .move_o      (unused_move),
      .mv_busy_o   (unused_mv_busy),
      .mv_word_o   (unused_mv_word),
      .hold_i      (1'b0),
      .rf_we_o     (rf_we),
      .rf_addr_o   (rf_addr),
      .rf_wdata_o  (rf_wdata),
      .rf_rdata_i  (rf_rdata)
  );

  always_ff @(posedge clk_i) begin
    if (fu_setting.modulus_set) modulus_q <= fu_setting.modulus;
  end

  eccel_toy_unit #(
      .IndexBits(IndexBits)
  ) u_field (
      .clk_i,
      .mod_i       (modulus_q),
      .valid_i     (fu.valid),
      .op_i        (fu.op),
      .rd_i        (fu.rd[2:0]),
      .ra_i        (fu.ra[2:0]),
      .rb_i        (fu.rb[2:0]),
      .zero_o      (fu_zero),
      .carry_o     (fu_carry),
      .port_we_i   (rf_we),
      .port_addr_i (rf_addr[3+IndexBits-1:0]),
      .port_wdata_i(rf_wdata),
      .port_rdata_o(rf_rdata)
  );

endmodule
