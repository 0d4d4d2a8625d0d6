// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Elliptic-curve engine for binary curves: eccel_control, a field unit for GF(2^m), one for the integers modulo n.
//
// Parameters Fields: the build's named fields (mask of eccel_gf2m_pkg, one field of a degree); DigitBits: coefficients of b that
//            are multiplied in a clock; OperandStage: of eccel_gf2m_mul; Divider: inversions in GF(2^m) by eccel_gf2m_divider, not by
//            the multiplier; ScalarDigitBits (32, 64): digits of the integers; MaxWords: largest element in 32-bit
//            words, group order included; UcodeFile: microcode image of UcodeDepth words.
// Ports      packets of 32-bit words as docs/architecture.md says; ent_*: entropy; zeroise_i: level or pulse.
// Guarantees one response for every packet; cycles depend on operation, curve, flags and public operands only.
// Memory     6 x 64 elements of GF(2^m), 2 x 64 registers of integers, their modulus, row and result buffers, mailbox,
//            microcode: all block RAM.

module eccel_ecp_binary
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
  import eccel_gf2m_pkg::Polynomials;
#(
    parameter logic [Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter bit OperandStage = 1'b0,
    parameter bit Divider = 1'b0,
    parameter int ScalarDigitBits = 64,
    parameter int MaxWords = 8,
    parameter UcodeFile = "ucode_binary.hex",
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
    output logic busy_o
);

  localparam int IndexBits = $clog2((32 * MaxWords + 96 + ScalarDigitBits - 1) / ScalarDigitBits + 1);

  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  logic fu_sel, fu_idle, fu_zero, fu_carry, fu_known, fu_free, mod_set, mod;
  logic [5:0] fu_rd, fu_ra, fu_rb;
  logic [4:0] words;
  logic [9:0] pbits;
  logic [COUNTER_BITS-1:0] count;
  logic load, store, next, moving, hold, rf_we;
  logic [6+IndexBits-1:0] rf_addr;
  logic [ScalarDigitBits-1:0] rf_wdata, rf_rdata;

  eccel_control #(
      .DigitBits (ScalarDigitBits),
      .MaxWords  (MaxWords),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .IndexBits (IndexBits),
      .Cofactor  (1'b1)
  ) u_control (
      .clk_i,
      .rst_ni,
      .req_valid_i(req_i.valid),
      .req_ready_o,
      .req_data_i(req_i.data),
      .req_last_i(req_i.last),
      .rsp_valid_o(rsp_o.valid),
      .rsp_ready_i,
      .rsp_data_o(rsp_o.data),
      .rsp_last_o(rsp_o.last),
      .ent_valid_i(ent_i.valid),
      .ent_ready_o,
      .ent_data_i(ent_i.data),
      .zeroise_i,
      .busy_o,
      .words_o   (words),
      .fu_valid_o(fu_valid),
      .fu_ready_i(fu_ready),
      .fu_op_o   (fu_op),
      .fu_sel_o  (fu_sel),
      .fu_rd_o   (fu_rd),
      .fu_ra_o   (fu_ra),
      .fu_rb_o   (fu_rb),
      .fu_idle_i (fu_idle),
      .fu_zero_i (fu_zero),
      .fu_carry_i(fu_carry),
      .mod_set_o (mod_set),
      .mod_o     (mod),
      .pbits_o   (pbits),
      .count_o   (count),
      .fu_known_i(fu_known),
      .fu_odd_i  (fu_free),
      .load_o    (load),
      .store_o   (store),
      .word_o    (next),
      .moving_o  (moving),
      .hold_i    (hold),
      .rf_we_o   (rf_we),
      .rf_addr_o (rf_addr),
      .rf_wdata_o(rf_wdata),
      .rf_rdata_i(rf_rdata)
  );

  eccel_binary_units #(
      .Fields         (Fields),
      .DigitBits      (DigitBits),
      .OperandStage   (OperandStage),
      .Divider        (Divider),
      .ScalarDigitBits(ScalarDigitBits),
      .MaxWords       (MaxWords)
  ) u_units (
      .clk_i,
      .rst_ni,
      .zeroise_i,
      .words_i   (words),
      .pbits_i   (pbits),
      .count_i   (count),
      .known_o   (fu_known),
      .free_o    (fu_free),
      .mod_i     (mod),
      .mod_set_i (mod_set),
      .valid_i   (fu_valid),
      .ready_o   (fu_ready),
      .op_i      (fu_op),
      .sel_i     (fu_sel),
      .rd_i      (fu_rd),
      .ra_i      (fu_ra),
      .rb_i      (fu_rb),
      .done_o    (fu_done),
      .idle_o    (fu_idle),
      .zero_o    (fu_zero),
      .carry_o   (fu_carry),
      .load_i    (load),
      .store_i   (store),
      .moving_i  (moving),
      .next_i    (next),
      .hold_o    (hold),
      .rf_we_i   (rf_we),
      .rf_addr_i (rf_addr),
      .rf_wdata_i(rf_wdata),
      .rf_rdata_o(rf_rdata)
  );

endmodule
