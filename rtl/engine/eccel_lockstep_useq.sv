// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer whose threads run one stream of instructions in lock step. B, P, X, Z, C and the
// outcome are each thread's own; the leading thread's X addresses registers, and a br tests its
// flags.
//
// Parameters Threads; Columns: of the base point's comb, for setc; UcodeFile: microcode image of
//            UcodeDepth words.
// Requires   As eccel_useq. The mailboxes answer four cycles after mb_slot_o and mb_word_o. lead_i
//            and member_i are stable while a job runs. The table keeps the contract of eccel_comb.
// Guarantees As eccel_useq: the secret bits B reach only fu_sel_o. A thread that has failed has its
//            own status in outcome_o and no results. faulty_o: a thread in member_i has failed with
//            FAULT; a br on FAULTY that follows the fail sees it. comb_bit_o is the bit at
//            comb_i.position of each thread's slot.
// Latency    As eccel_useq_core says; but a br takes 2 cycles more, ldb, ldx and ldw take 9, and an
//            instruction that waits for the unit sees it idle a cycle later.

module eccel_lockstep_useq
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter int Threads = 4,
    parameter int Columns = 0,
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter bit Guarded = 1'b1,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    // group
    input  logic                      start_i,
    input  logic                      wipe_i,
    input  job_t                      job_i,
    input  logic     [ThreadBits-1:0] lead_i,              // the leading thread
    input  logic     [   Threads-1:0] member_i,            // threads that have a job of the group
    output logic                      faulty_o,
    output logic                      finish_o,
    output logic                      wiped_o,             // the zeroise handler finishes
    input  logic                      break_i,
    input  logic                      forget_i,
    output logic                      bad_o,
    output outcome_t                  outcome_o[Threads],
    output curve_t                    curve_o,

    // field unit
    output unit_op_t               fu_o,
    input  logic                   fu_ready_i,
    output logic     [Threads-1:0] fu_sel_o,
    input  logic                   fu_idle_i,
    input  logic     [Threads-1:0] fu_zero_i,
    input  logic     [Threads-1:0] fu_carry_i,

    // mover
    output move_t      move_o,
    input  logic       mv_busy_i,
    input  logic [1:0] mv_first_i,  // the mover is at word 0, 1

    // table of the base point
    output comb_command_t               comb_o,
    input  comb_status_t                comb_i,
    output logic          [Threads-1:0] comb_bit_o,

    // mailboxes: slot of the instruction, word of the bit to be read (0 for other instructions)
    output logic [ 3:0] mb_slot_o,
    output logic [ 4:0] mb_word_o,
    input  logic [31:0] mb_rdata_i[Threads],

    input logic ent_taken_i,  // a word of entropy has come
    input logic ent_failed_i  // its source has failed
);

  step_t step;
  leader_t leader;
  curve_facts_t curve_facts;
  facts_t facts;
  unit_setting_t unused_setting;
  logic [9:0] count_q;
  logic [4:0] bit_1, bit_2;  // of the word that the mailboxes give
  logic flag[Threads];
  logic [3:0] x[Threads];

  eccel_useq_core #(
      .UcodeFile (UcodeFile),
      .UcodeDepth(UcodeDepth),
      .Columns   (Columns),
      .Lockstep  (1'b1),
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
      .step_o      (step),
      .facts_o     (curve_facts),
      .leader_i    (leader),
      .fu_o,
      .fu_ready_i,
      .fu_setting_o(unused_setting),
      .move_o,
      .busy_i      (mv_busy_i || comb_i.busy),
      .first_i     (mv_first_i),
      .mb_slot_o,
      .mb_rdata_i  (mb_rdata_i[0]),
      .ent_taken_i,
      .ent_failed_i
  );

  logic [Threads-1:0] faults;

  always_ff @(posedge clk_i) faulty_o <= |(faults & member_i);

  assign facts = '{
          flags: job_i.flags[4:0],
          curve: curve_facts,
          unit: '{known: 1'b0, free: faulty_o}
      };

  eccel_branch_lockstep #(
      .Threads(Threads)
  ) u_branch (
      .clk_i,
      .step_i  (step),
      .facts_i (facts),
      .lead_i,
      .x_i     (x),
      .flag_i  (flag),
      .idle_i  (fu_idle_i),
      .leader_o(leader)
  );

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic [9:0] verdict;
    eccel_thread_flags #(
        .Lockstep(1'b1)
    ) u_flags (
        .clk_i,
        .step_i    (step),
        .due_i     (comb_i.due),
        .zero_i    (fu_zero_i[t]),
        .carry_i   (fu_carry_i[t]),
        .count_i   (bit_2),
        .mb_rdata_i(mb_rdata_i[t]),
        .bit_o     (comb_bit_o[t]),
        .b_o       (fu_sel_o[t]),
        .x_o       (x[t]),
        .flag_o    (flag[t]),
        .verdict_o (verdict)
    );
    assign faults[t] = verdict[8] && verdict[7:0] == STATUS_FAULT;
    assign outcome_o[t] = '{
            status: verdict[8] ? verdict[7:0] : step.instr[F_STATUS_LSB+:8],
            results: verdict[9] ? '0 : step.instr[3:0]
        };
  end

  always_ff @(posedge clk_i) begin
    count_q <= step.is.bits ? step.count : comb_i.position;
    bit_1   <= count_q[4:0];
    bit_2   <= bit_1;
  end
  assign mb_word_o = count_q[9:5];

  assign comb_o = '{
          rewind: step.phase.execute && step.is.caught && step.instr[0],
          scan: step.phase.execute && step.is.scan,
          await: step.phase.execute && step.is.caught,
          stop: wiped_o
      };

endmodule
