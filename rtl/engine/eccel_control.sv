// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// All of an engine with one job at a time but its field unit: job port, mailbox, sequencer, mover.
//
// Parameters DigitBits (32, 64): of the registers that the mover reads and writes; MaxWords: largest element in 32-bit words;
//            UcodeFile: microcode image of UcodeDepth words; Cofactor: jobs have flag 4, condition 12.
// Requires   of the field unit what eccel_useq says; rf_rdata_i two cycles behind rf_addr_o; hold_i only while the mover is
//            busy, or from the cycle behind on: the instruction goes on when both have ended.
// Guarantees one response for every packet. Of field unit and registers: as eccel_useq and eccel_stream_mover say.

module eccel_control
  import eccel_isa_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int IndexBits = 5,
    parameter bit Cofactor = 1'b0,
    localparam int FlagBits = Cofactor ? 5 : 4
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        req_valid_i,
    output logic        req_ready_o,
    input  logic [31:0] req_data_i,
    input  logic        req_last_i,
    output logic        rsp_valid_o,
    input  logic        rsp_ready_i,
    output logic [31:0] rsp_data_o,
    output logic        rsp_last_o,

    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i,

    input  logic zeroise_i,
    output logic busy_o,

    // field unit
    output logic [             4:0] words_o,   // W of the packet
    output logic                    fu_valid_o,
    input  logic                    fu_ready_i,
    output logic [             3:0] fu_op_o,
    output logic                    fu_sel_o,
    output logic [             5:0] fu_rd_o,
    output logic [             5:0] fu_ra_o,
    output logic [             5:0] fu_rb_o,
    input  logic                    fu_idle_i,
    input  logic                    fu_zero_i,
    input  logic                    fu_carry_i,
    output logic                    mod_set_o,
    output logic                    mod_o,
    output logic [             9:0] pbits_o,
    output logic [COUNTER_BITS-1:0] count_o,     // counter 3
    input  logic                    fu_known_i,  // condition 15
    input  logic                    fu_odd_i,    // condition 13

    // its registers
    output logic                   load_o,      // ld begins
    output logic                   store_o,     // st begins
    output logic                   word_o,      // as eccel_stream_mover says
    output logic                   moving_o,    // the mover is busy
    input  logic                   hold_i,
    output logic                   rf_we_o,
    output logic [6+IndexBits-1:0] rf_addr_o,
    output logic [  DigitBits-1:0] rf_wdata_o,
    input  logic [  DigitBits-1:0] rf_rdata_i
);

  logic start, wipe, wiped, finish, loaded;
  logic [7:0] status[1], curve, packet_curve;
  logic [3:0] results[1], elements;
  logic [FlagBits-1:0] flags;
  logic [5:0] op;
  logic [4:0] words, curve_words;

  logic jp_we, mv_we, mb_free;
  logic [3:0] jp_slot, sq_slot;
  logic [4:0] jp_word, sq_word, mv_word;
  logic [8:0] mb_addr;
  logic [31:0] jp_wdata, mv_wdata, mb_rdata, thread_rdata[1];

  logic mv_start, mv_stop, mv_load, mv_store, mv_random, mv_fill, mv_one, mv_busy;
  logic [1:0] mv_first;
  logic [5:0] mv_reg;
  logic [3:0] unused_comb;

  assign words_o  = words;
  assign load_o   = mv_start && mv_load;
  assign store_o  = mv_start && mv_store;
  assign moving_o = mv_busy;

  eccel_job_port #(
      .MaxWords(MaxWords),
      .FlagBits(FlagBits)
  ) u_job_port (
      .clk_i,
      .rst_ni,
      .req_valid_i,
      .req_ready_o,
      .req_data_i,
      .req_last_i,
      .rsp_valid_o,
      .rsp_ready_i,
      .rsp_data_o,
      .rsp_last_o,
      .mb_we_o      (jp_we),
      .mb_slot_o    (jp_slot),
      .mb_word_o    (jp_word),
      .mb_wdata_o   (jp_wdata),
      .mb_free_o    (mb_free),
      .mb_rdata_i   (mb_rdata),
      .zeroise_i,
      .start_o      (start),
      .wipe_o       (wipe),
      .finish_i     (finish),
      .wiped_i      (wiped),
      .status_i     (status[0]),
      .results_i    (results[0]),
      .op_o         (op),
      .flags_o      (flags),
      .elements_o   (elements),
      .words_o      (words),
      .loaded_i     (loaded),
      .curve_words_i(curve_words),
      .curve_i      (curve),
      .curve_o      (packet_curve),
      .busy_o
  );

  eccel_useq #(
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .DigitBits (DigitBits)
  ) u_useq (
      .clk_i,
      .rst_ni,
      .start_i      (start),
      .wipe_i       (wipe),
      .finish_o     (finish),
      .wiped_o      (wiped),
      .lead_i       (1'b0),
      .status_o     (status),
      .results_o    (results),
      .op_i         (op),
      .flags_i      (flags[3:0]),
      .elements_i   (elements),
      .words_i      (words),
      .loaded_o     (loaded),
      .curve_words_o(curve_words),
      .curve_o      (curve),
      .curve_i      (packet_curve),
      .fu_valid_o,
      .fu_ready_i,
      .fu_op_o,
      .fu_sel_o,
      .fu_rd_o,
      .fu_ra_o,
      .fu_rb_o,
      .fu_idle_i,
      .fu_zero_i,
      .fu_carry_i,
      .mod_set_o,
      .mod_o,
      .pbits_o,
      .last_count_o (count_o),
      .more_i       ({fu_known_i, 1'b0, fu_odd_i, flags[FlagBits-1] && Cofactor}),
      .mv_start_o   (mv_start),
      .mv_stop_o    (mv_stop),
      .mv_load_o    (mv_load),
      .mv_store_o   (mv_store),
      .mv_random_o  (mv_random),
      .mv_fill_o    (mv_fill),
      .mv_one_o     (mv_one),
      .mv_reg_o     (mv_reg),
      .mv_busy_i    (mv_busy || hold_i),
      .mv_first_i   (mv_first),
      .comb_rewind_o(unused_comb[0]),
      .comb_scan_o  (unused_comb[1]),
      .comb_wait_o  (unused_comb[2]),
      .comb_busy_i  (1'b0),
      .comb_pos_i   ('0),
      .comb_due_i   (1'b0),
      .comb_bit_o   (unused_comb[3]),
      .mb_slot_o    (sq_slot),
      .mb_word_o    (sq_word),
      .mb_rdata_i   (thread_rdata),
      .ent_taken_i  (ent_valid_i && ent_ready_o)
  );

  eccel_stream_mover #(
      .DigitBits(DigitBits),
      .IndexBits(IndexBits)
  ) u_mover (
      .clk_i,
      .rst_ni,
      .start_i    (mv_start),
      .stop_i     (mv_stop),
      .load_i     (mv_load),
      .store_i    (mv_store),
      .random_i   (mv_random),
      .fill_i     (mv_fill),
      .one_i      (mv_one),
      .reg_i      (mv_reg),
      .words_i    (words),
      .busy_o     (mv_busy),
      .first_o    (mv_first),
      .word_o,
      .mb_we_o    (mv_we),
      .mb_word_o  (mv_word),
      .mb_wdata_o (mv_wdata),
      .mb_rdata_i (mb_rdata),
      .ent_valid_i,
      .ent_ready_o,
      .ent_data_i,
      .rf_we_o,
      .rf_addr_o,
      .rf_wdata_o,
      .rf_rdata_i
  );

  // One user at a time: packets before and after a job, mover and sequencer in turns during it. A word that is written is
  // not wanted when it is read at the same time.
  assign thread_rdata[0] = mb_rdata;
  assign mb_addr = {mb_free ? sq_slot : jp_slot, jp_word | mv_word | sq_word};

  eccel_ram_1p #(
      .Width(32),
      .Depth(512)
  ) u_mailbox (
      .clk_i,
      .we_i   (jp_we || mv_we),
      .waddr_i(mb_addr),
      .wdata_i(jp_wdata | mv_wdata),
      .raddr_i(mb_addr),
      .rdata_o(mb_rdata)
  );

endmodule
