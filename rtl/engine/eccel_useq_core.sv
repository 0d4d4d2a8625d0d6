// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer without the state of its threads: fetches 24-bit instructions, issues field
// operations, executes the control instructions of docs/isa.md.
//
// Parameters UcodeFile: microcode image of UcodeDepth words; DigitBits: of the field unit, bits(R)
//            is W in whole digits; Columns: of the base point's comb, for setc; Lockstep: 1 for
//            eccel_lockstep_useq, whose mailboxes answer later; Guarded: the state is checked.
// Requires   start_i and wipe_i keep the contract of eccel_job_port. The field unit accepts an
//            operation in bounded time. busy_i is 1 from the cycle after move_o.start until the
//            mover is done or stopped. leader_i follows step_o as eccel_engine_pkg says.
// Guarantees Every start_i and every wipe_i gets one finish_o. The cycle of every fetch, issue and
//            memory access depends on public values and leader_i only.
//            break_i stops whatever runs, so that only wipe_i or start_i continue; forget_i forgets
//            curve and key. With Guarded, bad_o comes a few cycles after an error was found in the
//            microcode or in the state of this module. Without it the image has no check bits.
// Latency    An instruction takes 3 cycles (decode, operands, execute) and what it waits for;
//            meanwhile the next word is fetched. A jump that is taken costs 2 more cycles (fetch),
//            mulx and movx 1 more; ldb, ldd and ldx take 7; ld, st, par, rnd, wipe and put1 take 4
//            and those of the mover; scan, caught and rewind 4 and those of the table's unit. The
//            unit sees an operation one cycle before fu_o.valid.
// Traps      A failed chk continues at TRAP_LENGTH, a starved rnd at TRAP_ENTROPY, or at
//            TRAP_HEALTH if the entropy source has failed.

module eccel_useq_core
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int DigitBits = 32,
    parameter int Columns = 0,
    parameter bit Lockstep = 1'b0,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    // job port
    input  logic   start_i,
    input  logic   wipe_i,
    input  job_t   job_i,
    output logic   finish_o,
    output logic   wiped_o,   // the zeroise handler finishes, not a job
    input  logic   break_i,
    input  logic   forget_i,
    output logic   bad_o,
    output curve_t curve_o,

    // threads
    output step_t        step_o,
    output curve_facts_t facts_o,
    input  leader_t      leader_i,

    // field unit
    output unit_op_t      fu_o,
    input  logic          fu_ready_i,
    output unit_setting_t fu_setting_o,

    // mover: ld, st, par, and what fills a slot: rnd, wipe, put1
    output move_t      move_o,
    input  logic       busy_i,   // the mover, or the table's unit
    input  logic [1:0] first_i,  // the mover is at word 0, 1

    // mailbox
    output logic [ 3:0] mb_slot_o,
    input  logic [31:0] mb_rdata_i,  // for par

    input logic ent_taken_i,  // a word of entropy has come
    input logic ent_failed_i  // its source has failed
);

  localparam int PcBits = $clog2(UcodeDepth);
  localparam int RomBits = Guarded ? CHECK_BITS + WORD_BITS : WORD_BITS;

  phase_t phase;
  logic [PcBits-1:0] pc;
  logic [COUNTER_BITS-1:0] count;
  logic [9:0] pbits, nbits;
  logic [WORD_BITS-1:0] fetched, instr;
  logic [RomBits-1:0] rom;
  logic fetches, state_bad, fetch_bad, counter_bad, stack_bad, curve_bad;
  control_t is;
  logic is_field, is_indexed, on_unit, from_flags, is_mover, is_mover_q, names_slot_q;
  logic taken_q, hold_q, jump, starving, starved, abort, fu_valid;
  logic instr_valid  /* verilator public_flat_rd */;
  logic [PcBits-1:0] instr_pc  /* verilator public_flat_rd */;

  assign instr_valid = phase.execute;
  assign instr_pc = pc - 1'b1;

  eccel_rom #(
      .Width(RomBits),
      .Depth(UcodeDepth),
      .InitFile(UcodeFile)
  ) u_ucode (
      .clk_i,
      .raddr_i(pc),
      .rdata_o(rom)
  );

  eccel_decode #(
      .Lockstep(Lockstep)
  ) u_decode (
      .clk_i,
      .rst_ni,
      .decode_i    (phase.decode),
      .fetched_i   (fetched),
      .index_i     (phase.operands && is_indexed),
      .x_i         (leader_i.x),
      .instr_o     (instr),
      .field_o     (is_field),
      .indexed_o   (is_indexed),
      .is_o        (is),
      .on_unit_o   (on_unit),
      .from_flags_o(from_flags)
  );

  eccel_counters #(
      .DigitBits(DigitBits),
      .Columns  (Columns),
      .Guarded  (Guarded)
  ) u_counters (
      .clk_i,
      .decode_i (phase.decode),
      .fetched_i(fetched),
      .execute_i(phase.execute),
      .instr_i  (instr),
      .setc_i   (is.setc),
      .loop_i   (is.loop),
      .read_i   (phase.execute && (is.loop || is.bits)),
      .words_i  (job_i.words),
      .pbits_i  (pbits),
      .nbits_i  (nbits),
      .count_o  (count),
      .last_o   (fu_setting_o.count),
      .bad_o    (counter_bad)
  );

  eccel_curve_state #(
      .Lockstep(Lockstep),
      .Guarded (Guarded)
  ) u_curve (
      .clk_i,
      .rst_ni,
      .forget_i,
      .execute_i(phase.execute && is.sys),
      .instr_i  (instr),
      .job_i,
      .first_i  (first_i & {2{phase.work && is.par}}),
      .rdata_i  (mb_rdata_i),
      .pbits_o  (pbits),
      .nbits_o  (nbits),
      .words_o  (curve_o.words),
      .curve_o  (curve_o.id),
      .facts_o,
      .bad_o    (curve_bad)
  );

  eccel_timeout u_timeout (
      .clk_i,
      .begin_i(phase.operands),
      .taken_i(ent_taken_i),
      .failed_i(ent_failed_i),
      .run_i  (phase.work && is.rnd),
      .soon_o (starving),
      .over_o (starved)
  );

  // ------------------------------------------------------------------ jumps and waiting

  assign is_mover = is.load || is.store || is.rnd || is.fill || is.par;

  // Evaluated in operands, and again while the instruction waits: hold_q falls a cycle after the
  // unit becomes idle, so that the threads have its final flags.
  always_ff @(posedge clk_i) begin
    hold_q     <= (is.waits || is.br && on_unit || is.setb && from_flags) && !leader_i.idle || leader_i.late;
    is_mover_q <= is_mover;
    taken_q    <= is.jumps || is.chk && instr[3:0] != job_i.elements || is.loop && count != 0;
  end

  assign jump = taken_q || leader_i.jump;

  eccel_program_counter #(
      .PcBits (PcBits),
      .Guarded(Guarded)
  ) u_pc (
      .clk_i,
      .halt_i    (phase.halt),
      .decode_i  (phase.decode),
      .operands_i(phase.operands),
      .execute_i (phase.execute),
      .instr_i   (instr),
      .is_i      (is),
      .hold_i    (hold_q),
      .jump_i    (jump),
      .starving_i(starving),
      .starved_i (starved),
      .failed_i  (ent_failed_i),
      .wipe_i,
      .abort_i   (abort),
      .entry_i   (job_i.op),
      .pc_o      (pc),
      .bad_o     (stack_bad)
  );

  eccel_useq_state #(
      .Lockstep(Lockstep),
      .Guarded (Guarded)
  ) u_state (
      .clk_i,
      .rst_ni,
      .start_i,
      .wipe_i,
      .break_i,
      .is_i      (is),
      .field_i   (is_field),
      .indexed_i (is_indexed),
      .hold_i    (hold_q),
      .jump_i    (jump),
      .busy_i,
      .starved_i (starved),
      .phase_o   (phase),
      .abort_o   (abort),
      .aborting_o(wiped_o),
      .fetches_o (fetches),
      .bad_o     (state_bad),
      .fu_valid_o(fu_valid),
      .fu_ready_i
  );

  // ------------------------------------------------------------------ checks

  assign fetched = rom[WORD_BITS-1:0];

  if (Guarded) begin : gen_guard
    eccel_fetch_guard u_fetch_guard (
        .clk_i,
        .rst_ni,
        .decode_i (phase.decode),
        .check_i  (rom[RomBits-1:WORD_BITS]),
        .fetches_i(fetches || phase.halt),
        .altered_i(phase.operands && is_indexed),
        .instr_i  (instr),
        .bad_o    (fetch_bad)
    );
    // A field operation is no control instruction.
    logic both_q;
    always_ff @(posedge clk_i) begin
      both_q <= phase.execute && is_field && is != 0;
      bad_o  <= state_bad || fetch_bad || counter_bad || stack_bad || curve_bad || both_q;
    end
  end else begin : gen_unguarded
    logic unused_guards;
    assign fetch_bad = 1'b0;
    assign unused_guards = ^{fetches, state_bad, fetch_bad, counter_bad, stack_bad, curve_bad};
    assign bad_o = 1'b0;
  end

  // ------------------------------------------------------------------ outputs

  assign finish_o = phase.execute && is.done && !hold_q;
  assign curve_o.loaded = facts_o.loaded;

  assign step_o = '{
          phase: phase,
          hold: hold_q,
          fetched: fetched,
          instr: instr,
          is: is,
          on_unit: on_unit,
          count: count[9:0]
      };

  assign fu_o = '{
          valid: fu_valid,
          op: instr[F_OP_LSB+:4],
          rd: instr[F_RD_LSB+:6],
          ra: instr[F_RA_LSB+:6],
          rb: instr[F_RB_LSB+:6]
      };
  assign fu_setting_o.modulus_set = phase.execute && is.mod && !hold_q;
  assign fu_setting_o.modulus     = instr[0];
  assign fu_setting_o.pbits       = pbits;

  assign move_o = '{
          start: phase.execute && is_mover_q && !hold_q,
          stop: phase.work && is.rnd && (starved || abort),
          load: is.load,
          store: is.store,
          random: is.rnd,
          fill: is.fill,
          one: is.put1,
          reg_index: is.store ? instr[F_RA_LSB+:6] : instr[F_RD_LSB+:6]
      };

  // Other instructions have other fields in these bits. They must not read a slot: two in a row
  // could read the shares of a key, and the read register would change by their difference.
  always_ff @(posedge clk_i) names_slot_q <= (is_mover || is.bits || is.scan) && !phase.decode;

  assign mb_slot_o = instr[F_SLOT_LSB+:4] & {4{names_slot_q}};

endmodule
