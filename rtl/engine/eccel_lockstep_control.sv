// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// An engine with several jobs at a time, without its field unit and its table of the base point:
// group, a job port and a mailbox for each thread, sequencer, mover. The jobs of a group run in
// lock step, one on each thread.
//
// Parameters Threads (1, 2, 4, 8): jobs of a group; WaitClocks: an incomplete group waits so long
//            for others; Words: the size of all elements; Columns: of the base point's comb;
//            UcodeFile: microcode image of UcodeDepth words; WatchdogBits: as in eccel_control, for
//            a group of jobs. HealthTest, StartupWords: as for eccel_control. Hedged: draws pass
//            through eccel_hedge. Guarded: as for eccel_control.
// Requires   The field unit keeps the contract of eccel_lockstep_useq, its registers that of
//            eccel_lockstep_mover. The table keeps the contract of eccel_comb; an engine without a
//            table ties its inputs to 0.
// Guarantees Every packet gets one response, in the order of completion. Field unit, registers and
//            table see what eccel_lockstep_useq and the mover promise. rst_no and unit_rst_no
//            are rst_ni a clock late; unit_rst_no also resets in the clock after the sequencer was
//            stopped, because an error was found or the watchdog fired.

module eccel_lockstep_control
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::JOB_ZEROISE;
  import eccel_packet_pkg::*;
#(
    parameter int Threads = 4,
    parameter int WaitClocks = 1023,
    parameter int Words = 8,
    parameter int Columns = 11,
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 22,
    parameter bit HealthTest = 1'b1,
    parameter int StartupWords = 1024,
    parameter bit Hedged = 1'b0,
    parameter bit Guarded = 1'b1,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
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
    output logic alarm_o,
    output logic rst_no,
    output logic unit_rst_no,  // of field unit and table

    // field unit
    output unit_op_t               fu_o,
    input  logic                   fu_ready_i,
    output logic     [Threads-1:0] fu_sel_o,
    input  logic                   fu_idle_i,
    input  logic     [Threads-1:0] fu_zero_i,
    input  logic     [Threads-1:0] fu_carry_i,

    // its registers, as eccel_lockstep_mover says
    output logic                  rf_start_o,
    output logic                  rf_we_o,
    output logic [ThreadBits-1:0] rf_thread_o,
    output logic [           5:0] rf_reg_o,
    output logic [          31:0] rf_wdata_o,
    input  logic [          31:0] rf_rdata_i,

    // table of the base point, as eccel_comb says
    output comb_command_t               comb_o,
    input  comb_status_t                comb_i,
    output logic          [Threads-1:0] comb_bit_o,
    input  comb_mailbox_t               comb_mb_i,
    input  logic          [Threads-1:0] comb_keep_i,
    input  logic          [Threads-1:0] comb_serves_i
);

  typedef logic [Threads-1:0] mask_t;

  packet_t port_req[Threads], port_rsp[Threads];
  job_t port_job[Threads], group_job, job;
  mask_t port_req_ready, port_rsp_ready, port_busy, port_start, port_wipe, port_finish, member;

  logic start, wipe, wiped, finish, exclusive, mv_busy, faulty;
  logic [ThreadBits-1:0] lead;
  outcome_t outcome[Threads];
  curve_t curve, port_curve;
  move_t move;
  logic [1:0] mv_first;

  mask_t mv_we;
  logic [31:0] mb_mover[Threads], mb_useq[Threads], mv_wdata, mb_wdata;
  logic [4:0] sq_word, mv_word, mb_word;
  logic [3:0] sq_slot, mb_slot;

  entropy_t ent, tested;
  logic ent_ready, tested_ready;
  logic rst_q, rst_useq, unit_rst_q, zeroise_q, ent_taken_q, ent_waits_q, run_q, timeout, timed_out;
  mask_t port_bad;
  logic useq_bad, bad_q, stop, forget, fault;
  logic [7:0] worst;

  always_ff @(posedge clk_i) begin
    rst_q       <= !rst_ni;  // not for u_group, which may get a word in the first clock
    zeroise_q   <= zeroise_i || stop;
    unit_rst_q  <= !rst_ni || stop;
    bad_q       <= useq_bad || |port_bad;
    ent_waits_q <= ent_ready && !ent.valid;
    run_q       <= (start || run_q) && !finish && rst_no;
    ent_taken_q <= ent.valid && ent_ready;
    busy_o      <= |port_busy;
  end

  assign rst_no = !rst_q;
  assign unit_rst_no = !unit_rst_q;

  always_comb begin
    worst = '0;
    for (int t = 0; t < Threads; t++) if (member[t]) worst |= outcome[t].status;
  end

  eccel_alarm u_alarm (
      .clk_i,
      .rst_ni   (rst_no),
      .bad_i    (bad_q),
      .timeout_i(timeout),
      .busy_i   (busy_o),
      .finish_i (finish),
      .status_i (worst),
      .break_o  (stop),
      .forget_o (forget),
      .fault_o  (fault),
      .alarm_o
  );

  if (HealthTest) begin : gen_health
    eccel_entropy_health #(
        .StartupWords(StartupWords)
    ) u_health (
        .clk_i,
        .rst_ni     (!rst_q && !zeroise_q),
        .ent_i,
        .ent_ready_o,
        .ent_o      (tested),
        .ent_ready_i(tested_ready)
    );
  end else begin : gen_tested
    assign tested      = ent_i;
    assign ent_ready_o = tested_ready;
  end

  if (Hedged) begin : gen_hedge
    eccel_hedge #(
        .Columns(32)
    ) u_hedge (
        .clk_i,
        .rst_ni     (!rst_q && !zeroise_q && !(start && group_job.op == JOB_ZEROISE[5:0])),
        .ent_i      (tested),
        .ent_ready_o(tested_ready),
        .old_i      (rf_wdata_o),
        .ent_o      (ent),
        .ent_ready_i(ent_ready)
    );
  end else begin : gen_unhedged
    assign ent          = tested;
    assign tested_ready = ent_ready;
  end

  eccel_watchdog #(
      .Bits(WatchdogBits)
  ) u_watchdog (
      .clk_i,
      .rst_ni (rst_no),
      .begin_i(start),
      .run_i  (run_q),
      .count_i(!ent_waits_q),
      .fire_o (timeout),
      .fired_o(timed_out)
  );

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

  // All elements have one size.
  always_comb begin
    job              = group_job;
    job.words        = 5'(unsigned'(Words));
    port_curve       = curve;
    port_curve.words = 5'(unsigned'(Words));
  end

  // Mover, sequencer and table use the mailboxes in turn, all with the same address; but each
  // thread has a bit of its own in the slot that the table writes. After a fault the program wipes
  // the key of all threads, but no operands of jobs that wait.
  assign mb_slot  = comb_mb_i.on ? {3'b010, comb_mb_i.half} : sq_slot;
  assign mb_word  = mv_word | sq_word | comb_mb_i.word;
  assign mb_wdata = mv_wdata | comb_mb_i.wdata;

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    mailbox_t mb;
    logic own_slot, rst_thread;
    assign own_slot = comb_mb_i.on && comb_keep_i[t];
    assign mb = '{
            we: mv_we[t] || comb_mb_i.we,
            slot: {mb_slot[3:2], mb_slot[1] || own_slot, mb_slot[0]},
            word: mb_word,
            wdata: mb_wdata
        };

    // The threads and the sequencer have reset registers of their own: one for all of them would be
    // far from most.
    eccel_ff_copy u_reset (
        .clk_i,
        .d_i(!rst_ni),
        .q_o(rst_thread)
    );

    eccel_job_thread #(
        .Words  (Words),
        .Guarded(Guarded)
    ) u_thread (
        .clk_i,
        .rst_ni     (!rst_thread),
        .req_i      (port_req[t]),
        .req_ready_o(port_req_ready[t]),
        .rsp_o      (port_rsp[t]),
        .rsp_ready_i(port_rsp_ready[t]),
        .zeroise_i  (zeroise_q),
        .start_o    (port_start[t]),
        .wipe_o     (port_wipe[t]),
        .job_o      (port_job[t]),
        .finish_i   (port_finish[t]),
        .wiped_i    (wiped),
        .outcome_i  (outcome[t]),
        .timeout_i  (timed_out),
        .fault_i    (fault),
        .bad_o      (port_bad[t]),
        .curve_i    (port_curve),
        .busy_o     (port_busy[t]),
        .member_i   (member[t] || faulty && mb.slot[3]),
        .mb_i       (mb),
        .mb_mover_o (mb_mover[t]),
        .mb_useq_o  (mb_useq[t])
    );
  end

  eccel_ff_copy u_useq_reset (
      .clk_i,
      .d_i(!rst_ni),
      .q_o(rst_useq)
  );

  eccel_lockstep_useq #(
      .Threads   (Threads),
      .Columns   (Columns),
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .Guarded   (Guarded)
  ) u_useq (
      .clk_i,
      .rst_ni      (!rst_useq),
      .start_i     (start),
      .wipe_i      (wipe),
      .job_i       (job),
      .lead_i      (lead),
      .member_i    (member),
      .faulty_o    (faulty),
      .finish_o    (finish),
      .wiped_o     (wiped),
      .break_i     (stop),
      .forget_i    (forget),
      .bad_o       (useq_bad),
      .outcome_o   (outcome),
      .curve_o     (curve),
      .fu_o,
      .fu_ready_i,
      .fu_sel_o,
      .fu_idle_i,
      .fu_zero_i,
      .fu_carry_i,
      .move_o      (move),
      .mv_busy_i   (mv_busy),
      .mv_first_i  (mv_first),
      .comb_o,
      .comb_i,
      .comb_bit_o,
      .mb_slot_o   (sq_slot),
      .mb_word_o   (sq_word),
      .mb_rdata_i  (mb_useq),
      .ent_taken_i (ent_taken_q),
      .ent_failed_i(ent.failed)
  );

  eccel_lockstep_mover #(
      .Threads(Threads),
      .Words  (Words),
      .ReadOld(Hedged)
  ) u_mover (
      .clk_i,
      .rst_ni       (unit_rst_no),
      .move_i       (move),
      .shared_i     (exclusive),
      .busy_o       (mv_busy),
      .first_o      (mv_first),
      .mb_we_o      (mv_we),
      .mb_word_o    (mv_word),
      .mb_wdata_o   (mv_wdata),
      .mb_rdata_i   (mb_mover),
      .ent_valid_i  (ent.valid),
      .ent_ready_o  (ent_ready),
      .ent_data_i   (ent.data),
      .take_i       (comb_serves_i),
      .member_i     (member),
      .port_start_o (rf_start_o),
      .port_we_o    (rf_we_o),
      .port_thread_o(rf_thread_o),
      .port_wdata_o (rf_wdata_o),
      .port_rdata_i (rf_rdata_i),
      .port_idle_i  (fu_idle_i)
  );

  assign rf_reg_o = move.reg_index;

endmodule
