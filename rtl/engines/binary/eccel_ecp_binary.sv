// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Elliptic-curve processor (ECP) for binary curves: eccel_control, a field unit for GF(2^m), one
// for the integers modulo n.
//
// Parameters Fields: the build's fields (mask of eccel_gf2m_pkg, one field of each degree);
//            DigitBits: coefficients of b that the multiplier takes in a clock; OperandStage: see
//            eccel_gf2m_mul; Divider: eccel_gf2m_divider inverts in GF(2^m), not the multiplier;
//            ScalarDigitBits (32, 64): digits of the integers; MaxWords: largest element in 32-bit
//            words, group order included; UcodeFile: microcode image of UcodeDepth words;
//            WatchdogBits: a job of 2^WatchdogBits cycles is ended with TIMEOUT (0: never);
//            HealthTest, StartupWords: tests of the entropy port, see eccel_entropy_health;
//            Hedged: draws pass through eccel_hedge.
// Ports      Packets as docs/architecture.md describes them; ent_*: entropy; zeroise_i: level or
//            pulse.
// Guarantees Every packet gets one response. The number of cycles depends on operation, curve,
//            flags and public operands only.
// Memory     Block RAM holds 6 x 64 elements of GF(2^m), 2 x 64 registers of integers, their
//            modulus, row and result buffers, mailbox and microcode.

module eccel_ecp_binary
  import eccel_engine_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter logic [eccel_gf2m_pkg::Polynomials-1:0] Fields = 26'h0000144,
    parameter int DigitBits = 64,
    parameter bit OperandStage = 1'b0,
    parameter bit Divider = 1'b0,
    parameter int ScalarDigitBits = 64,
    parameter int MaxWords = 8,
    parameter UcodeFile = "ucode_binary.hex",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 22,
    parameter bit HealthTest = 1'b1,
    parameter int StartupWords = 1024,
    parameter bit Hedged = 1'b0,
    parameter bit Guarded = 1'b1
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

  localparam int IndexBits = $clog2((32 * MaxWords + 96 + ScalarDigitBits - 1) / ScalarDigitBits + 1);

  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  unit_op_t fu;
  unit_setting_t fu_setting;
  unit_facts_t fu_facts;
  logic fu_sel, fu_idle, fu_zero, fu_carry, zeroise, unit_rst_n;
  logic [4:0] words;

  move_t move;
  logic mv_busy, mv_word, hold, rf_we;
  logic [6+IndexBits-1:0] rf_addr;
  logic [ScalarDigitBits-1:0] rf_wdata, rf_rdata;

  assign fu_valid = fu.valid;
  assign fu_op    = fu.op;

  eccel_control #(
      .DigitBits (ScalarDigitBits),
      .IndexBits (IndexBits),
      .MaxWords  (MaxWords),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .WatchdogBits(WatchdogBits),
      .WordStream(1'b1),
      .HealthTest(HealthTest),
      .StartupWords(StartupWords),
      .Hedged(Hedged),
      .Guarded(Guarded)
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
      .zeroise_o   (zeroise),
      .busy_o,
      .alarm_o,
      .unit_rst_no (unit_rst_n),
      .words_o     (words),
      .fu_o        (fu),
      .fu_ready_i  (fu_ready),
      .fu_sel_o    (fu_sel),
      .fu_idle_i   (fu_idle),
      .fu_zero_i   (fu_zero),
      .fu_carry_i  (fu_carry),
      .fu_setting_o(fu_setting),
      .fu_facts_i  (fu_facts),
      .move_o      (move),
      .mv_busy_o   (mv_busy),
      .mv_word_o   (mv_word),
      .hold_i      (hold),
      .rf_we_o     (rf_we),
      .rf_addr_o   (rf_addr),
      .rf_wdata_o  (rf_wdata),
      .rf_rdata_i  (rf_rdata)
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
      .rst_ni    (unit_rst_n),
      .zeroise_i (zeroise),
      .words_i   (words),
      .setting_i (fu_setting),
      .facts_o   (fu_facts),
      .op_i      (fu),
      .ready_o   (fu_ready),
      .sel_i     (fu_sel),
      .done_o    (fu_done),
      .idle_o    (fu_idle),
      .zero_o    (fu_zero),
      .carry_o   (fu_carry),
      .load_i    (move.start && move.load),
      .store_i   (move.start && move.store),
      .moving_i  (mv_busy),
      .next_i    (mv_word),
      .hold_o    (hold),
      .rf_we_i   (rf_we),
      .rf_addr_i (rf_addr),
      .rf_wdata_i(rf_wdata),
      .rf_rdata_o(rf_rdata)
  );

endmodule
