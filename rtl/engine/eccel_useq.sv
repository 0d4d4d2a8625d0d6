// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer with one thread, whose program may branch on B, X and the flags of the field unit.
//
// Parameters UcodeFile: microcode image of UcodeDepth words; DigitBits: of the field unit, bits(R)
//            is W in whole digits; Guarded: as eccel_useq_core.
// Requires   start_i and wipe_i keep the contract of eccel_job_port. The field unit accepts an
//            operation in bounded time. The mover is busy from the cycle after move_o.start until
//            it is done or stopped. The mailbox answers two cycles after mb_slot_o and mb_word_o.
// Guarantees Every start_i and every wipe_i gets one finish_o. The cycle of every fetch, issue and
//            memory access depends on public values only: the secret select bit B reaches only
//            fu_sel_o, and a br where the assembler has proved B public.
// Latency    As eccel_useq_core says.

module eccel_useq
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int DigitBits = 32,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    // job port
    input  logic     start_i,
    input  logic     wipe_i,
    input  job_t     job_i,
    output logic     finish_o,
    output logic     wiped_o,    // the zeroise handler finishes, not a job
    input  logic     break_i,
    input  logic     forget_i,
    output logic     bad_o,
    output outcome_t outcome_o,
    output curve_t   curve_o,

    // field unit
    output unit_op_t      fu_o,
    input  logic          fu_ready_i,
    output logic          fu_sel_o,
    input  logic          fu_idle_i,
    input  logic          fu_zero_i,
    input  logic          fu_carry_i,
    output unit_setting_t fu_setting_o,
    input  unit_facts_t   fu_facts_i,

    // mover
    output move_t      move_o,
    input  logic       mv_busy_i,
    input  logic [1:0] mv_first_i,  // the mover is at word 0, 1

    // mailbox: slot of the instruction, word of the bit to be read (0 for other instructions)
    output logic [ 3:0] mb_slot_o,
    output logic [ 4:0] mb_word_o,
    input  logic [31:0] mb_rdata_i,

    input logic ent_taken_i,  // a word of entropy has come
    input logic ent_failed_i  // its source has failed
);

  step_t step;
  leader_t leader;
  curve_facts_t curve_facts;
  facts_t facts;
  logic [9:0] count_q, unused_verdict;
  logic flag, unused_bit;

  eccel_useq_core #(
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .DigitBits (DigitBits),
      .Guarded   (Guarded)
  ) u_core (
      .clk_i,
      .rst_ni,
      .start_i,
      .wipe_i,
      .job_i,
      .finish_o,
      .wiped_o,
      .break_i,
      .forget_i,
      .bad_o,
      .curve_o,
      .step_o    (step),
      .facts_o   (curve_facts),
      .leader_i  (leader),
      .fu_o,
      .fu_ready_i,
      .fu_setting_o,
      .move_o,
      .busy_i    (mv_busy_i),
      .first_i   (mv_first_i),
      .mb_slot_o,
      .mb_rdata_i,
      .ent_taken_i,
      .ent_failed_i
  );

  assign facts = '{flags: job_i.flags[4:0], curve: curve_facts, unit: fu_facts_i};

  eccel_branch u_branch (
      .clk_i,
      .step_i (step),
      .facts_i(facts),
      .b_i    (fu_sel_o),
      .x_i    (leader.x),
      .flag_i (flag),
      .jump_o (leader.jump)
  );

  assign leader.idle = fu_idle_i;
  assign leader.late = 1'b0;

  eccel_thread_flags u_flags (
      .clk_i,
      .step_i    (step),
      .due_i     (1'b0),
      .zero_i    (fu_zero_i),
      .carry_i   (fu_carry_i),
      .count_i   (count_q[4:0]),
      .mb_rdata_i,
      .bit_o     (unused_bit),
      .b_o       (fu_sel_o),
      .x_o       (leader.x),
      .flag_o    (flag),
      .verdict_o (unused_verdict)
  );

  assign outcome_o = '{status: step.instr[F_STATUS_LSB+:8], results: step.instr[3:0]};

  always_ff @(posedge clk_i) count_q <= step.is.bits ? step.count : '0;
  assign mb_word_o = count_q[9:5];

endmodule
