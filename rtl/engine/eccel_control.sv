// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// An engine with one job at a time, without its field unit: job port, mailbox, sequencer, mover.
//
// Parameters DigitBits: width of the field unit's registers at the mover's port, 2^IndexBits digits
//            each; MaxWords: largest element in 32-bit words; UcodeFile: microcode image of
//            UcodeDepth words; WatchdogBits: a job that runs for 2^WatchdogBits cycles, waits for
//            entropy not counted, is ended as by zeroise_i and answered with TIMEOUT (0: never);
//            WordStream: eccel_stream_mover moves elements, one word a cycle (DigitBits 32 or 64),
//            else eccel_mover does. HealthTest, StartupWords: the entropy port is tested, see
//            eccel_entropy_health; without HealthTest its words come tested. Hedged: draws pass
//            through eccel_hedge. Guarded: state, header, counters, return addresses and
//            microcode are checked.
// Requires   The field unit keeps the contract of eccel_useq, its registers that of the mover. The
//            unit may raise hold_i while the mover is busy or in the cycle after; the instruction
//            ends when mover and hold_i have ended.
// Guarantees Every packet gets one response. Field unit and registers see what eccel_useq and the
//            mover promise. With Guarded, an error that a check finds ends the job with FAULT, and
//            curve and key are forgotten; alarm_o is then 1 until a reset, and also after a
//            program has ended with FAULT. unit_rst_no resets the unit in that case, and when the
//            watchdog fires.

module eccel_control
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::JOB_ZEROISE;
  import eccel_packet_pkg::*;
#(
    parameter int DigitBits = 32,
    parameter int IndexBits = 5,
    parameter int MaxWords = 17,
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int WatchdogBits = 25,
    parameter bit WordStream = 1'b0,
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
    output logic zeroise_o,  // zeroise_i or the watchdog, for the field unit
    output logic busy_o,
    output logic alarm_o,

    // field unit
    output logic          unit_rst_no,
    output logic [4:0]    words_o,       // W of the packet
    output unit_op_t      fu_o,
    input  logic          fu_ready_i,
    output logic          fu_sel_o,
    input  logic          fu_idle_i,
    input  logic          fu_zero_i,
    input  logic          fu_carry_i,
    output unit_setting_t fu_setting_o,
    input  unit_facts_t   fu_facts_i,

    // its registers
    output move_t                  move_o,      // what the mover begins
    output logic                   mv_busy_o,
    output logic                   mv_word_o,   // WordStream: as eccel_stream_mover says, else 0
    input  logic                   hold_i,
    output logic                   rf_we_o,
    output logic [6+IndexBits-1:0] rf_addr_o,
    output logic [  DigitBits-1:0] rf_wdata_o,
    input  logic [  DigitBits-1:0] rf_rdata_i
);

  logic start, wipe, wiped, finish;
  job_t job;
  curve_t curve;
  outcome_t outcome;

  mailbox_t jp_mb;
  logic mb_free, mv_we;
  logic [3:0] sq_slot;
  logic [4:0] sq_word, mv_word;
  logic [8:0] mb_addr;
  logic [31:0] mv_wdata, mb_rdata;

  logic [1:0] mv_first;
  logic timeout, timed_out, port_bad, useq_bad, stop, forget, fault;

  entropy_t ent, tested;
  logic ent_ready, tested_ready;

  assign words_o = job.words;
  assign zeroise_o = zeroise_i || stop;
  assign unit_rst_no = rst_ni && !stop;

  eccel_alarm u_alarm (
      .clk_i,
      .rst_ni,
      .bad_i    (port_bad || useq_bad),
      .timeout_i(timeout),
      .busy_i   (busy_o),
      .finish_i (finish),
      .status_i (outcome.status),
      .break_o  (stop),
      .forget_o (forget),
      .fault_o  (fault),
      .alarm_o
  );

  eccel_job_port #(
      .MaxWords(MaxWords),
      .Guarded (Guarded)
  ) u_job_port (
      .clk_i,
      .rst_ni,
      .req_i,
      .req_ready_o,
      .rsp_o,
      .rsp_ready_i,
      .mb_o      (jp_mb),
      .mb_free_o (mb_free),
      .mb_rdata_i(mb_rdata),
      .zeroise_i (zeroise_o),
      .start_o   (start),
      .wipe_o    (wipe),
      .job_o     (job),
      .finish_i  (finish),
      .wiped_i   (wiped),
      .outcome_i (outcome),
      .timeout_i (timed_out),
      .fault_i   (fault),
      .bad_o     (port_bad),
      .curve_i   (curve),
      .busy_o
  );

  eccel_watchdog #(
      .Bits(WatchdogBits)
  ) u_watchdog (
      .clk_i,
      .rst_ni,
      .begin_i(start),
      .run_i  (mb_free),
      .count_i(!(ent_ready && !ent.valid)),
      .fire_o (timeout),
      .fired_o(timed_out)
  );

  eccel_useq #(
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .DigitBits (DigitBits),
      .Guarded   (Guarded)
  ) u_useq (
      .clk_i,
      .rst_ni,
      .start_i    (start),
      .wipe_i     (wipe),
      .job_i      (job),
      .finish_o   (finish),
      .wiped_o    (wiped),
      .break_i    (stop),
      .forget_i   (forget),
      .bad_o      (useq_bad),
      .outcome_o  (outcome),
      .curve_o    (curve),
      .fu_o,
      .fu_ready_i,
      .fu_sel_o,
      .fu_idle_i,
      .fu_zero_i,
      .fu_carry_i,
      .fu_setting_o,
      .fu_facts_i,
      .move_o,
      .mv_busy_i  (mv_busy_o || hold_i),
      .mv_first_i (mv_first),
      .mb_slot_o  (sq_slot),
      .mb_word_o  (sq_word),
      .mb_rdata_i (mb_rdata),
      .ent_taken_i(ent.valid && ent_ready),
      .ent_failed_i(ent.failed)
  );

  // Resets are a cycle late here, since they reach many registers.
  if (HealthTest) begin : gen_health
    logic rst_q;
    always_ff @(posedge clk_i) rst_q <= !rst_ni || zeroise_o;

    eccel_entropy_health #(
        .StartupWords(StartupWords)
    ) u_health (
        .clk_i,
        .rst_ni     (!rst_q),
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
    logic rst_q;
    always_ff @(posedge clk_i) rst_q <= !rst_ni || zeroise_o || start && job.op == JOB_ZEROISE[5:0];

    eccel_hedge #(
        .Columns(WordStream ? 32 : 8)
    ) u_hedge (
        .clk_i,
        .rst_ni     (!rst_q),
        .ent_i      (tested),
        .ent_ready_o(tested_ready),
        .old_i      (mb_rdata),
        .ent_o      (ent),
        .ent_ready_i(ent_ready)
    );
  end else begin : gen_unhedged
    assign ent          = tested;
    assign tested_ready = ent_ready;
  end

  if (WordStream) begin : gen_stream
    eccel_stream_mover #(
        .DigitBits(DigitBits),
        .IndexBits(IndexBits)
    ) u_mover (
        .clk_i,
        .rst_ni     (unit_rst_no),
        .move_i     (move_o),
        .words_i    (job.words),
        .busy_o     (mv_busy_o),
        .first_o    (mv_first),
        .word_o     (mv_word_o),
        .mb_we_o    (mv_we),
        .mb_word_o  (mv_word),
        .mb_wdata_o (mv_wdata),
        .mb_rdata_i (mb_rdata),
        .ent_valid_i(ent.valid),
        .ent_ready_o(ent_ready),
        .ent_data_i (ent.data),
        .rf_we_o,
        .rf_addr_o,
        .rf_wdata_o,
        .rf_rdata_i
    );
  end else begin : gen_mover
    assign mv_word_o = 1'b0;

    eccel_mover #(
        .DigitBits(DigitBits),
        .IndexBits(IndexBits)
    ) u_mover (
        .clk_i,
        .rst_ni     (unit_rst_no),
        .move_i     (move_o),
        .words_i    (job.words),
        .busy_o     (mv_busy_o),
        .first_o    (mv_first),
        .mb_we_o    (mv_we),
        .mb_word_o  (mv_word),
        .mb_wdata_o (mv_wdata),
        .mb_rdata_i (mb_rdata),
        .ent_valid_i(ent.valid),
        .ent_ready_o(ent_ready),
        .ent_data_i (ent.data),
        .rf_we_o,
        .rf_addr_o,
        .rf_wdata_o,
        .rf_rdata_i
    );
  end

  // The mailbox has one user at a time: the job port before and after a job, mover and sequencer in
  // turn during it. A word that is read while another one is written is not used. A mover that runs
  // without an instruction, after a fault, does not change what the job port reads.
  assign mb_addr = {mb_free ? sq_slot : jp_mb.slot, jp_mb.word | ((mv_word | sq_word) & {5{mb_free}})};

  eccel_ram_1p #(
      .Width(32),
      .Depth(512)
  ) u_mailbox (
      .clk_i,
      .we_i   (jp_mb.we || mv_we),
      .waddr_i(mb_addr),
      .wdata_i(jp_mb.wdata | mv_wdata),
      .raddr_i(mb_addr),
      .rdata_o(mb_rdata)
  );

endmodule
