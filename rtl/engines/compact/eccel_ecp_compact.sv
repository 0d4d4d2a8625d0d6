// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Compact elliptic-curve engine for any prime field: job port, mailbox, microsequencer, digit-serial field unit.
//
// Parameters DigitBits in {16, 32, 64}; MaxWords (6..17): largest element in 32-bit words; UcodeFile: microcode image of
//            UcodeDepth words; TightMemory: register file without unused words (see eccel_gfp_cios).
// Ports      packets of 32-bit words as docs/architecture.md says; ent_*: entropy; zeroise_i: level or pulse.
// Guarantees one response for every packet; cycles depend on operation, curve, flags and public operands only.
// Memory     2 x 64 registers, modulus, row and result buffers, mailbox, microcode: all block RAM.

module eccel_ecp_compact
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int MaxWords = 17,
    parameter UcodeFile = "ucode_compact.hex",
    parameter int UcodeDepth = 2048,
    parameter bit TightMemory = 1'b0
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

  localparam int IndexBits = $clog2((32 * MaxWords + 96 + DigitBits - 1) / DigitBits + 1);

  logic start, wipe, wiped, finish, loaded;
  logic [7:0] status[1], curve, packet_curve;
  logic [3:0] results[1], flags, elements;
  logic [5:0] op;
  logic [4:0] words, curve_words;

  logic jp_we, mv_we, mb_free;
  logic [3:0] jp_slot, sq_slot;
  logic [4:0] jp_word, sq_word, mv_word;
  logic [8:0] mb_addr;
  logic [31:0] jp_wdata, mv_wdata, mb_rdata, thread_rdata[1];

  logic mv_start, mv_stop, mv_load, mv_store, mv_random, mv_fill, mv_one, mv_busy, rf_we;
  logic [1:0] mv_first;
  logic [5:0] mv_reg;
  logic [6+IndexBits-1:0] rf_addr;
  logic [DigitBits-1:0] rf_wdata, rf_rdata;

  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  logic fu_sel, fu_idle, fu_zero, fu_carry, mod_set, mod;
  logic [5:0] fu_rd, fu_ra, fu_rb, unused_rd;
  logic [3:0] unused_comb;
  logic [9:0] unused_pbits;
  logic [COUNTER_BITS-1:0] unused_count;

  eccel_job_port #(
      .MaxWords(MaxWords)
  ) u_job_port (
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
      .flags_i      (flags),
      .elements_i   (elements),
      .words_i      (words),
      .loaded_o     (loaded),
      .curve_words_o(curve_words),
      .curve_o      (curve),
      .curve_i      (packet_curve),
      .fu_valid_o   (fu_valid),
      .fu_ready_i   (fu_ready),
      .fu_op_o      (fu_op),
      .fu_sel_o     (fu_sel),
      .fu_rd_o      (fu_rd),
      .fu_ra_o      (fu_ra),
      .fu_rb_o      (fu_rb),
      .fu_idle_i    (fu_idle),
      .fu_zero_i    (fu_zero),
      .fu_carry_i   (fu_carry),
      .mod_set_o    (mod_set),
      .mod_o        (mod),
      .pbits_o      (unused_pbits),
      .last_count_o (unused_count),
      .more_i       ('0),
      .mv_start_o   (mv_start),
      .mv_stop_o    (mv_stop),
      .mv_load_o    (mv_load),
      .mv_store_o   (mv_store),
      .mv_random_o  (mv_random),
      .mv_fill_o    (mv_fill),
      .mv_one_o     (mv_one),
      .mv_reg_o     (mv_reg),
      .mv_busy_i    (mv_busy),
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
      .ent_taken_i  (ent_i.valid && ent_ready_o)
  );

  eccel_mover #(
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
      .mb_we_o    (mv_we),
      .mb_word_o  (mv_word),
      .mb_wdata_o (mv_wdata),
      .mb_rdata_i (mb_rdata),
      .ent_valid_i(ent_i.valid),
      .ent_ready_o,
      .ent_data_i(ent_i.data),
      .rf_we_o    (rf_we),
      .rf_addr_o  (rf_addr),
      .rf_wdata_o (rf_wdata),
      .rf_rdata_i (rf_rdata)
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

  eccel_gfp_cios #(
      .DigitBits  (DigitBits),
      .MaxWords   (MaxWords),
      .TightMemory(TightMemory)
  ) u_field (
      .clk_i,
      .rst_ni,
      .words_i     (words),
      .mod_i       (mod),
      .mod_set_i   (mod_set),
      .valid_i     (fu_valid),
      .ready_o     (fu_ready),
      .op_i        (fu_op),
      .sel_i       (fu_sel),
      .rd_i        (fu_rd),
      .ra_i        (fu_ra),
      .rb_i        (fu_rb),
      .done_o      (fu_done),
      .rd_o        (unused_rd),
      .idle_o      (fu_idle),
      .zero_o      (fu_zero),
      .carry_o     (fu_carry),
      .port_we_i   (rf_we),
      .port_addr_i (rf_addr),
      .port_wdata_i(rf_wdata),
      .port_rdata_o(rf_rdata)
  );

endmodule
