// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Turbo elliptic-curve processor (ECP) for one sparse prime. The jobs of a group run in lock step
// on threads, which share one sequencer, one multiplier array and one adder.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg; Threads (1, 2, 4, 8): jobs of a group;
//            WaitClocks: an incomplete group waits so long for others; UcodeFile: microcode image
//            of UcodeDepth words; CombFile: table of the base point of the prime's curve
//            (eccelerate/model/comb.py), "" for an engine without one.
// Ports      Packets as docs/architecture.md describes them; responses come in the order of
//            completion. ent_*: entropy; zeroise_i: level or pulse.
// Guarantees Every packet gets one response. The number of cycles depends on operation, curve and
//            flags, and on which jobs come together.
// Memory     Block RAM holds 64 registers and a mailbox for each thread, the microcode and the
//            table.

module eccel_ecp_turbo
  import eccel_engine_pkg::*;
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
  packet_t port_req[Threads], port_rsp[Threads];
  job_t port_job[Threads];
  mask_t port_req_ready, port_rsp_ready, port_busy, port_start, port_wipe, port_finish, member;

  // mailboxes
  mailbox_t jp_mb[Threads];
  mask_t mb_free, mb_free_q, mb_ours_q, mv_we;
  logic [31:0] mb_rdata[Threads], mb_rdata_q[Threads], mv_wdata;
  logic [4:0] sq_word, mv_word, mb_word;
  logic [3:0] sq_slot, mb_slot;

  // sequencer and mover
  logic start, wipe, wiped, finish, exclusive, mv_busy;
  job_t group_job, job;
  outcome_t outcome[Threads], outcome_q[Threads];
  curve_t curve, port_curve;
  move_t move;
  logic [1:0] mv_first;
  logic zeroise_q, rst_q, rst_nq, rst_field_q, ent_taken_q;

  // table of the base point
  comb_command_t cb;
  comb_status_t cb_status;
  logic cb_take, cb_on, cb_half;
  logic [4:0] cb_word;
  logic [31:0] cb_wdata;
  mask_t cb_bit, cb_we, cb_serves;

  // field unit
  logic fu_valid  /* verilator public_flat_rd */;
  logic fu_ready  /* verilator public_flat_rd */;
  logic fu_done  /* verilator public_flat_rd */;
  logic [3:0] fu_op  /* verilator public_flat_rd */;
  unit_op_t fu;
  unit_setting_t unused_setting;
  logic fu_idle, rf_start, rf_we;
  mask_t fu_sel, fu_zero, fu_carry;
  logic [5:0] unused_rd;
  logic [ThreadBits-1:0] rf_thread, unused_thread, lead;
  logic [31:0] rf_wdata, rf_rdata;

  assign fu_valid = fu.valid;
  assign fu_op    = fu.op;

  eccel_group #(
      .Threads   (Threads),
      .WaitClocks(WaitClocks)
  ) u_group (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .port_req_o      (port_req),
      .port_req_ready_i(port_req_ready),
      .port_rsp_i      (port_rsp),
      .port_rsp_ready_o(port_rsp_ready),
      .port_busy_i     (port_busy),
      .port_start_i    (port_start),
      .port_wipe_i     (port_wipe),
      .port_finish_o   (port_finish),
      .port_job_i      (port_job),
      .start_o         (start),
      .wipe_o          (wipe),
      .finish_i        (finish),
      .wiped_i         (wiped),
      .member_o        (member),
      .lead_o          (lead),
      .exclusive_o     (exclusive),
      .job_o           (group_job)
  );

  // Elements of this engine have one size.
  always_comb begin
    job              = group_job;
    job.words        = 5'(Words);
    port_curve       = curve;
    port_curve.words = 5'(Words);
  end

  assign mb_slot = cb_on ? {3'b011, cb_half} : sq_slot;
  assign mb_word = mv_word | sq_word | cb_word;

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic [8:0] mb_addr_q;
    logic mb_we_q;
    logic [31:0] mb_wdata_q;

    eccel_job_port #(
        .MinWords(Words),
        .MaxWords(Words)
    ) u_job_port (
        .clk_i,
        .rst_ni     (rst_nq),
        .req_i      (port_req[t]),
        .req_ready_o(port_req_ready[t]),
        .rsp_o      (port_rsp[t]),
        .rsp_ready_i(port_rsp_ready[t]),
        .mb_o       (jp_mb[t]),
        .mb_free_o  (mb_free[t]),
        .mb_rdata_i (mb_rdata_q[t]),
        .zeroise_i  (zeroise_q),
        .start_o    (port_start[t]),
        .wipe_o     (port_wipe[t]),
        .job_o      (port_job[t]),
        .finish_i   (port_finish[t]),
        .wiped_i    (wiped),
        .outcome_i  (outcome_q[t]),
        .curve_i    (port_curve),
        .busy_o     (port_busy[t])
    );

    // A mailbox has one user at a time: its job port before and after a job; mover, sequencer and
    // table in turn during it. A word that is read while another one is written is not used. The
    // word of a packet stays for a clock after the one in which the port takes it.
    always_ff @(posedge clk_i) begin
      mb_addr_q  <= mb_free_q[t] ? {mb_slot, mb_word} : {jp_mb[t].slot, jp_mb[t].word};
      mb_wdata_q <= mb_free_q[t] ? mv_wdata | cb_wdata : port_req[t].data;
      mb_we_q    <= jp_mb[t].we || mb_ours_q[t] && (mv_we[t] || cb_we[t]);
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

  // The outcome of a job reaches its port a clock late, as finish does. In the clock in which a
  // mailbox changes hands it has no user.
  always_ff @(posedge clk_i) begin
    outcome_q   <= outcome;
    mb_free_q   <= mb_free;
    mb_ours_q   <= mb_free & member;
    mb_rdata_q  <= mb_rdata;
    zeroise_q   <= zeroise_i;
    ent_taken_q <= ent_i.valid && ent_ready_o;
    rst_field_q <= rst_q;
    rst_q       <= !rst_ni;  // not for u_group, which may get a word in the first clock
    busy_o      <= |port_busy;
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
      .rst_ni      (rst_nq),
      .start_i     (start),
      .wipe_i      (wipe),
      .job_i       (job),
      .finish_o    (finish),
      .wiped_o     (wiped),
      .outcome_o   (outcome),
      .curve_o     (curve),
      .lead_i      (lead),
      .fu_o        (fu),
      .fu_ready_i  (fu_ready),
      .fu_sel_o    (fu_sel),
      .fu_idle_i   (fu_idle),
      .fu_zero_i   (fu_zero),
      .fu_carry_i  (fu_carry),
      .fu_setting_o(unused_setting),
      .fu_facts_i  ('0),
      .move_o      (move),
      .mv_busy_i   (mv_busy),
      .mv_first_i  (mv_first),
      .comb_o      (cb),
      .comb_i      (cb_status),
      .comb_bit_o  (cb_bit),
      .mb_slot_o   (sq_slot),
      .mb_word_o   (sq_word),
      .mb_rdata_i  (mb_rdata_q),
      .ent_taken_i (ent_taken_q)
  );

  eccel_lockstep_mover #(
      .Threads(Threads),
      .Words  (Words)
  ) u_mover (
      .clk_i,
      .rst_ni       (rst_nq),
      .move_i       (move),
      .shared_i     (exclusive),
      .busy_o       (mv_busy),
      .first_o      (mv_first),
      .mb_we_o      (mv_we),
      .mb_word_o    (mv_word),
      .mb_wdata_o   (mv_wdata),
      .mb_rdata_i   (mb_rdata),
      .ent_valid_i  (ent_i.valid),
      .ent_ready_o,
      .ent_data_i   (ent_i.data),
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
        .rewind_i(cb.rewind),
        .scan_i  (cb.scan),
        .wait_i  (cb.await),
        .stop_i  (wiped),
        .busy_o  (cb_status.busy),
        .pos_o   (cb_status.position),
        .due_o   (cb_status.due),
        .bit_i   (cb_bit),
        .take_i  (fu.valid && fu_ready && eccel_turbo_pkg::takes(eccel_turbo_isa_pkg::op_e'(fu.op), fu.rb[0])),
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
    assign unused_comb = ^{cb, cb_take, cb_bit};
    assign {cb_status, cb_serves, cb_on, cb_half, cb_word, cb_we, cb_wdata} = '0;
  end

  eccel_gfp_turbo #(
      .Prime  (Prime),
      .Threads(Threads)
  ) u_field (
      .clk_i,
      .rst_ni       (!rst_field_q),
      .valid_i      (fu.valid),
      .op_i         (fu.op),
      .sel_i        (fu_sel),
      .rd_i         (fu.rd),
      .ra_i         (fu.ra),
      .rb_i         (fu.rb),
      .ready_o      (fu_ready),
      .idle_o       (fu_idle),
      .zero_o       (fu_zero),
      .carry_o      (fu_carry),
      .port_start_i (rf_start),
      .port_we_i    (rf_we),
      .port_thread_i(rf_thread),
      .port_reg_i   (move.reg_index),
      .port_wdata_i (rf_wdata),
      .port_rdata_o (rf_rdata),
      .take_o       (cb_take),
      .done_o       (fu_done),
      .rd_o         (unused_rd),
      .thread_o     (unused_thread)
  );

endmodule
