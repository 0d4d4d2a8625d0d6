// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Compact elliptic-curve processor (ECP) for any prime field: eccel_control and the digit-serial
// field unit.
//
// Parameters DigitBits: 16, 32 or 64; MaxWords (6 to 17): largest element in 32-bit words;
//            UcodeFile: microcode image of UcodeDepth words; WatchdogBits: a job of 2^WatchdogBits
//            cycles is ended with TIMEOUT (0: never); TightMemory: the register file has no unused
//            words (see eccel_gfp_cios); HealthTest, StartupWords: tests of the entropy port, see
//            eccel_entropy_health; Hedged: draws pass through eccel_hedge; Guarded: the control
//            is checked, see eccel_control.
// Ports      Packets as docs/architecture.md describes them; ent_*: entropy; zeroise_i: level or
//            pulse; alarm_o: an error was found since the reset.
// Guarantees Every packet gets one response. The number of cycles depends on operation, curve,
//            flags and public operands only.
// Memory     Block RAM holds 2 x 64 registers, modulus, row and result buffers, mailbox and
//            microcode.

module eccel_ecp_compact
  import eccel_engine_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter UcodeFile = "ucode_compact.hex",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 25,
    parameter bit TightMemory = 1'b0,
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

  localparam int IndexBits = $clog2((32 * MaxWords + 96 + DigitBits - 1) / DigitBits + 1);

  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  unit_op_t fu;
  unit_setting_t fu_setting;
  logic fu_sel, fu_idle, fu_zero, fu_carry, unit_rst_n;
  logic [4:0] words;

  move_t unused_move;
  logic mv_busy, unused_mv_word, unused_zeroise, rf_we;
  logic [5:0] unused_rd;
  logic [6+IndexBits-1:0] rf_addr;
  logic [DigitBits-1:0] rf_wdata, rf_rdata;

  assign fu_valid = fu.valid;
  assign fu_op    = fu.op;

  eccel_control #(
      .DigitBits (DigitBits),
      .IndexBits (IndexBits),
      .MaxWords  (MaxWords),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .WatchdogBits(WatchdogBits),
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
      .zeroise_o   (unused_zeroise),
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
      .fu_facts_i  ('0),
      .move_o      (unused_move),
      .mv_busy_o   (mv_busy),
      .mv_word_o   (unused_mv_word),
      .hold_i      (1'b0),
      .rf_we_o     (rf_we),
      .rf_addr_o   (rf_addr),
      .rf_wdata_o  (rf_wdata),
      .rf_rdata_i  (rf_rdata)
  );

  eccel_gfp_cios #(
      .DigitBits  (DigitBits),
      .MaxWords   (MaxWords),
      .TightMemory(TightMemory)
  ) u_field (
      .clk_i,
      .rst_ni      (unit_rst_n),
      .words_i     (words),
      .mod_i       (fu_setting.modulus),
      .mod_set_i   (fu_setting.modulus_set),
      .valid_i     (fu.valid),
      .ready_o     (fu_ready),
      .op_i        (fu.op),
      .sel_i       (fu_sel),
      .rd_i        (fu.rd),
      .ra_i        (fu.ra),
      .rb_i        (fu.rb),
      .done_o      (fu_done),
      .rd_o        (unused_rd),
      .idle_o      (fu_idle),
      .zero_o      (fu_zero),
      .carry_o     (fu_carry),
      .port_re_i   (mv_busy),
      .port_we_i   (rf_we),
      .port_addr_i (rf_addr),
      .port_wdata_i(rf_wdata),
      .port_rdata_o(rf_rdata)
  );

endmodule
