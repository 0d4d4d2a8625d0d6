// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Turbo elliptic-curve engine for one sparse prime: jobs of a group run in lock step on threads that share one sequencer,
// one multiplier array and one adder.
//
// Parameters Prime, a number of eccel_solinas_pkg; Threads (1, 2, 4, 8) jobs of a group; WaitClocks that an incomplete group
//            waits for others; UcodeFile: microcode image of UcodeDepth words; CombFile: table of the base point of the prime's
//            curve (eccelerate/model/comb.py), "" for an engine without.
// Ports      packets of 32-bit words as docs/architecture.md says, responses in the order of completion; ent_*: entropy;
//            zeroise_i: level or pulse.
// Guarantees one response for every packet; cycles depend on operation, curve and flags, and on which jobs come together.
// Memory     64 registers and a mailbox for each thread, microcode, table: block RAM.

module eccel_ecp_turbo
  import eccel_isa_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int Prime = eccel_solinas_pkg::P256,
    parameter int Threads = 4,
    parameter int WaitClocks = 1023,
    parameter UcodeFile = "ucode_turbo.hex",
    parameter int UcodeDepth = 2048,
    parameter CombFile = ""
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

  localparam eccel_solinas_pkg::field_t Field = eccel_solinas_pkg::field(Prime);
  localparam int Words = Field.words;
  localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1;
  localparam bit Comb = CombFile != "";
  localparam int Columns = (Field.bits + 23) / 24;
  typedef logic [Threads-1:0] mask_t;

  // job ports
  mask_t p_req_valid, p_req_ready, p_rsp_valid, p_rsp_ready, p_rsp_last, p_busy, p_start, p_wipe, p_finish;
  mask_t jp_we, mb_free, mb_free_q, mb_ours_q, mv_we, member, cb_serves;
  logic [31:0] p_req_data, p_rsp_data[Threads], mb_rdata[Threads], mb_rdata_q[Threads], mv_wdata;
  logic p_req_last, zeroise_q, rst_q, rst_nq, rst_field_q, ent_taken_q;
  logic [5:0] p_op[Threads];
  logic [3:0] p_flags[Threads], p_elements[Threads], jp_slot[Threads], sq_slot;
  logic [4:0] jp_word[Threads], p_words[Threads], sq_word, mv_word;
  logic [7:0] p_curve[Threads];

  // sequencer
  logic start, wipe, wiped, finish, exclusive, loaded;
  logic [7:0] status[Threads], status_q[Threads], curve;
  logic [3:0] results[Threads], results_q[Threads], flags, elements;
  logic [5:0] op;
  logic [4:0] unused_curve_words;
  logic mv_start, mv_stop, mv_load, mv_store, mv_random, mv_fill, mv_one, mv_busy;
  logic [1:0] mv_first;
  logic [5:0] mv_reg;

  // table of the base point
  logic cb_rewind, cb_scan, cb_wait, cb_busy, cb_due, cb_take, cb_on, cb_half;
  logic [9:0] cb_pos;
  logic [4:0] cb_word;
  logic [31:0] cb_wdata;
  mask_t cb_bit, cb_we;
  logic [3:0] mb_slot;
  logic [4:0] mb_word;

  // field unit
  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  logic fu_idle, rf_start, rf_we, unused_mod_set, unused_mod;
  logic [9:0] unused_pbits;
  logic [10:0] unused_count;
  mask_t fu_sel, fu_zero, fu_carry;
  logic [5:0] fu_rd, fu_ra, fu_rb, unused_rd;
  logic [ThreadBits-1:0] rf_thread, unused_thread, lead;
  logic [31:0] rf_wdata, rf_rdata;

  eccel_group #(
      .Threads   (Threads),
      .WaitClocks(WaitClocks)
  ) u_group (
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
      .port_req_valid_o(p_req_valid),
      .port_req_ready_i(p_req_ready),
      .port_req_data_o (p_req_data),
      .port_req_last_o (p_req_last),
      .port_rsp_valid_i(p_rsp_valid),
      .port_rsp_ready_o(p_rsp_ready),
      .port_rsp_data_i (p_rsp_data),
      .port_rsp_last_i (p_rsp_last),
      .port_busy_i     (p_busy),
      .port_start_i    (p_start),
      .port_wipe_i     (p_wipe),
      .port_finish_o   (p_finish),
      .port_op_i       (p_op),
      .port_flags_i    (p_flags),
      .port_elements_i (p_elements),
      .start_o         (start),
      .wipe_o          (wipe),
      .finish_i        (finish),
      .wiped_i         (wiped),
      .member_o        (member),
      .lead_o          (lead),
      .exclusive_o     (exclusive),
      .op_o            (op),
      .flags_o         (flags),
      .elements_o      (elements)
  );

  assign mb_slot = cb_on ? {3'b011, cb_half} : sq_slot;
  assign mb_word = mv_word | sq_word | cb_word;

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic [8:0] mb_addr_q;
    logic mb_we_q;
    logic [31:0] mb_wdata_q, unused_wdata;

    eccel_job_port #(
        .MinWords(Words),
        .MaxWords(Words)
    ) u_job_port (
        .clk_i,
        .rst_ni       (rst_nq),
        .req_valid_i  (p_req_valid[t]),
        .req_ready_o  (p_req_ready[t]),
        .req_data_i   (p_req_data),
        .req_last_i   (p_req_last),
        .rsp_valid_o  (p_rsp_valid[t]),
        .rsp_ready_i  (p_rsp_ready[t]),
        .rsp_data_o   (p_rsp_data[t]),
        .rsp_last_o   (p_rsp_last[t]),
        .mb_we_o      (jp_we[t]),
        .mb_slot_o    (jp_slot[t]),
        .mb_word_o    (jp_word[t]),
        .mb_wdata_o   (unused_wdata),
        .mb_free_o    (mb_free[t]),
        .mb_rdata_i   (mb_rdata_q[t]),
        .zeroise_i    (zeroise_q),
        .start_o      (p_start[t]),
        .wipe_o       (p_wipe[t]),
        .finish_i     (p_finish[t]),
        .wiped_i      (wiped),
        .status_i     (status_q[t]),
        .results_i    (results_q[t]),
        .op_o         (p_op[t]),
        .flags_o      (p_flags[t]),
        .elements_o   (p_elements[t]),
        .words_o      (p_words[t]),
        .loaded_i     (loaded),
        .curve_words_i(5'(Words)),
        .curve_i      (curve),
        .curve_o      (p_curve[t]),
        .busy_o       (p_busy[t])
    );

    // One user at a time: packets before and after a job, mover, sequencer and table in turns during it. A word that is written
    // is not wanted when it is read at the same time. The word of a packet stays for a clock behind the one in which its
    // port takes it.
    always_ff @(posedge clk_i) begin
      mb_addr_q  <= mb_free_q[t] ? {mb_slot, mb_word} : {jp_slot[t], jp_word[t]};
      mb_wdata_q <= mb_free_q[t] ? mv_wdata | cb_wdata : p_req_data;
      mb_we_q    <= jp_we[t] || mb_ours_q[t] && (mv_we[t] || cb_we[t]);
    end

    eccel_ram_1p #(
        .Width(32),
        .Depth(512)
    ) u_mailbox (
        .clk_i,
        .we_i   (mb_we_q),
        .waddr_i(mb_addr_q),
        .wdata_i(mb_wdata_q),
        .raddr_i(mb_addr_q),
        .rdata_o(mb_rdata[t])
    );
  end

  // What a job ends with reaches its port a clock late, as finish does; the mailbox is nobody's in the clock in which it
  // changes hands.
  always_ff @(posedge clk_i) begin
    status_q  <= status;
    results_q <= results;
    mb_free_q <= mb_free;
    mb_ours_q <= mb_free & member;
    mb_rdata_q <= mb_rdata;
    zeroise_q <= zeroise_i;
    ent_taken_q <= ent_i.valid && ent_ready_o;
    rst_field_q <= rst_q;
    rst_q     <= !rst_ni;  // not of u_group, which may be given a word in the first clock
    busy_o    <= |p_busy;
  end

  assign rst_nq = !rst_q;

  eccel_useq #(
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .Threads   (Threads),
      .Lockstep  (1'b1),
      .Columns   (Columns)
  ) u_useq (
      .clk_i,
      .rst_ni       (rst_nq),
      .start_i      (start),
      .wipe_i       (wipe),
      .finish_o     (finish),
      .wiped_o      (wiped),
      .lead_i       (lead),
      .status_o     (status),
      .results_o    (results),
      .op_i         (op),
      .flags_i      (flags),
      .elements_i   (elements),
      .words_i      (5'(Words)),
      .loaded_o     (loaded),
      .curve_words_o(unused_curve_words),
      .curve_o      (curve),
      .curve_i      (p_curve[0]),  // of CURVE_LOAD, which all ports have
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
      .mod_set_o    (unused_mod_set),
      .mod_o        (unused_mod),
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
      .comb_rewind_o(cb_rewind),
      .comb_scan_o  (cb_scan),
      .comb_wait_o  (cb_wait),
      .comb_busy_i  (cb_busy),
      .comb_pos_i   (cb_pos),
      .comb_due_i   (cb_due),
      .comb_bit_o   (cb_bit),
      .mb_slot_o    (sq_slot),
      .mb_word_o    (sq_word),
      .mb_rdata_i   (mb_rdata_q),
      .ent_taken_i  (ent_taken_q)
  );

  eccel_lockstep_mover #(
      .Threads(Threads),
      .Words  (Words)
  ) u_mover (
      .clk_i,
      .rst_ni       (rst_nq),
      .start_i      (mv_start),
      .stop_i       (mv_stop),
      .load_i       (mv_load),
      .store_i      (mv_store),
      .random_i     (mv_random),
      .fill_i       (mv_fill),
      .one_i        (mv_one),
      .shared_i     (exclusive),
      .busy_o       (mv_busy),
      .first_o      (mv_first),
      .mb_we_o      (mv_we),
      .mb_word_o    (mv_word),
      .mb_wdata_o   (mv_wdata),
      .mb_rdata_i   (mb_rdata),
      .ent_valid_i(ent_i.valid),
      .ent_ready_o,
      .ent_data_i(ent_i.data),
      .take_i       (cb_serves),
      .port_start_o (rf_start),
      .port_we_o    (rf_we),
      .port_thread_o(rf_thread),
      .port_wdata_o (rf_wdata),
      .port_rdata_i (rf_rdata),
      .port_idle_i  (fu_idle)
  );

  if (Comb) begin : gen_comb
    eccel_comb #(
        .Threads  (Threads),
        .Words    (Words),
        .Columns  (Columns),
        .TableFile(CombFile)
    ) u_comb (
        .clk_i,
        .rst_ni  (rst_nq),
        .rewind_i(cb_rewind),
        .scan_i  (cb_scan),
        .wait_i  (cb_wait),
        .stop_i  (wiped),
        .busy_o  (cb_busy),
        .pos_o   (cb_pos),
        .due_o   (cb_due),
        .bit_i   (cb_bit),
        .take_i  (fu_valid && fu_ready && eccel_turbo_pkg::takes(eccel_turbo_isa_pkg::op_e'(fu_op), fu_rb[0])),
        .issue_i (cb_take),
        .serves_o(cb_serves),
        .on_o    (cb_on),
        .half_o  (cb_half),
        .word_o  (cb_word),
        .we_o    (cb_we),
        .wdata_o (cb_wdata)
    );
  end else begin : gen_no_comb
    logic unused_comb;
    assign unused_comb = ^{cb_rewind, cb_scan, cb_wait, cb_take, cb_bit};
    assign {cb_busy, cb_pos, cb_due, cb_serves, cb_on, cb_half, cb_word, cb_we, cb_wdata} = '0;
  end

  eccel_gfp_turbo #(
      .Prime  (Prime),
      .Threads(Threads)
  ) u_field (
      .clk_i,
      .rst_ni       (!rst_field_q),
      .valid_i      (fu_valid),
      .op_i         (fu_op),
      .sel_i        (fu_sel),
      .rd_i         (fu_rd),
      .ra_i         (fu_ra),
      .rb_i         (fu_rb),
      .ready_o      (fu_ready),
      .idle_o       (fu_idle),
      .zero_o       (fu_zero),
      .carry_o      (fu_carry),
      .port_start_i (rf_start),
      .port_we_i    (rf_we),
      .port_thread_i(rf_thread),
      .port_reg_i   (mv_reg),
      .port_wdata_i (rf_wdata),
      .port_rdata_o (rf_rdata),
      .take_o       (cb_take),
      .done_o       (fu_done),
      .rd_o         (unused_rd),
      .thread_o     (unused_thread)
  );

endmodule
