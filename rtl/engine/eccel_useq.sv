// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer: fetches 24-bit instructions, issues field operations, executes the control
// instructions of docs/isa.md.
//
// Parameters UcodeFile: microcode image of UcodeDepth words; DigitBits: of the field unit, bits(R)
//            is W in whole digits. Lockstep 0: one thread, whose program may branch on B, X and the
//            flags of the unit. Lockstep 1: Threads run one stream of instructions; B, P, X, Z, C
//            and the outcome are each thread's own; lead_i names the thread whose X addresses
//            registers and whose flags a br tests. Columns: of the base point's comb, for setc
//            (Lockstep).
// Requires   start_i and wipe_i keep the contract of eccel_job_port. The field unit accepts an
//            operation in bounded time. The mover is busy from the cycle after move_o.start until
//            it is done or stopped.
// Guarantees Every start_i and every wipe_i gets one finish_o. The cycle of every fetch, issue and
//            memory access depends on public values only: the secret select bit B reaches only
//            fu_sel_o, and a br where the assembler has proved B public.
// Latency    An instruction takes 3 cycles (decode, operands, execute) and what it waits for;
//            meanwhile the next word is fetched. A jump that is taken costs 2 more cycles (fetch),
//            mulx and movx 1 more; ldb, ldd and ldx take 7; ld, st, par, rnd, wipe and put1 take 4
//            and those of the mover; scan, caught and rewind 4 and those of the table's unit. The
//            unit sees an operation one cycle before fu_o.valid. In lock step a br takes 2 more,
//            and an instruction that waits for the unit sees it idle a cycle later.
// Traps      A failed chk continues at TRAP_LENGTH, a starved rnd at TRAP_ENTROPY.

module eccel_useq
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int DigitBits = 32,  // of the field unit: bits(R) is words_i in whole digits
    parameter int Threads = 1,
    parameter bit Lockstep = 1'b0,
    parameter int Columns = 0,  // of the base point's comb, for setc (Lockstep)
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    // job port
    input  logic     start_i,
    input  logic     wipe_i,
    input  job_t     job_i,
    output logic     finish_o,
    output logic     wiped_o,             // the zeroise handler finishes, not a job
    output outcome_t outcome_o[Threads],  // without results for a thread that has failed
    output curve_t   curve_o,

    input logic [ThreadBits-1:0] lead_i,  // the leading thread

    // field unit
    output unit_op_t            fu_o,
    input  logic                fu_ready_i,
    output logic [Threads-1:0]  fu_sel_o,
    input  logic                fu_idle_i,
    input  logic [Threads-1:0]  fu_zero_i,
    input  logic [Threads-1:0]  fu_carry_i,
    output unit_setting_t       fu_setting_o,
    input  unit_facts_t         fu_facts_i,

    // mover: ld, st, par, and what fills a slot: rnd, wipe, put1
    output move_t      move_o,
    input  logic       mv_busy_i,
    input  logic [1:0] mv_first_i,  // the mover is at word 0, 1

    // table of the base point, as eccel_comb says (Lockstep)
    output comb_command_t       comb_o,
    input  comb_status_t        comb_i,
    output logic [Threads-1:0]  comb_bit_o,

    // mailbox: slot of the instruction, word of the bit to be read (0 for other instructions)
    output logic [ 3:0] mb_slot_o,
    output logic [ 4:0] mb_word_o,
    input  logic [31:0] mb_rdata_i[Threads],

    input logic ent_taken_i  // a word of entropy has come
);

  localparam int PcBits = $clog2(UcodeDepth);

  typedef enum logic [12:0] {  // one-hot
    Halt     = 13'h0001,
    Fetch0   = 13'h0002,
    Fetch1   = 13'h0004,
    Decode   = 13'h0008,
    Operands = 13'h0010,
    Execute  = 13'h0020,
    Read0    = 13'h0040,  // in lock step a mailbox responds two cycles later
    Read1    = 13'h0080,
    Read2    = 13'h0100,
    Read3    = 13'h0200,
    Read4    = 13'h0400,
    Read5    = 13'h0800,
    Long     = 13'h1000   // the mover or the table's unit works
  } state_e;

  state_e state_q;
  logic [PcBits-1:0] pc;
  logic [COUNTER_BITS-1:0] count;
  logic [9:0] count_q, pbits, nbits;
  logic b[Threads], flag_q[Threads];
  logic [3:0] x[Threads];

  logic [WORD_BITS-1:0] fetched, instr;
  control_t is;
  curve_facts_t curve_facts;
  facts_t facts;
  logic is_field, is_indexed, on_unit, from_flags, is_mover_q, is_plain_q;
  logic on_carry, fresh_q, fu_valid_q, idle, late;
  logic [4:0] bit_count;  // of the word that the mailboxes give
  logic [3:0] lead_x;  // of the leading thread: X that addresses registers
  logic instr_valid  /* verilator public_flat_rd */;
  logic [PcBits-1:0] instr_pc  /* verilator public_flat_rd */;

  eccel_rom #(
      .Width(WORD_BITS),
      .Depth(UcodeDepth),
      .InitFile(UcodeFile)
  ) u_ucode (
      .clk_i,
      .raddr_i(pc),
      .rdata_o(fetched)
  );

  assign instr_valid = state_q == Execute;
  assign instr_pc = pc - 1'b1;

  eccel_decode #(
      .Lockstep(Lockstep)
  ) u_decode (
      .clk_i,
      .rst_ni,
      .decode_i    (state_q == Decode),
      .fetched_i   (fetched),
      .index_i     (state_q == Operands && is_indexed),
      .x_i         (lead_x),
      .instr_o     (instr),
      .field_o     (is_field),
      .indexed_o   (is_indexed),
      .is_o        (is),
      .on_unit_o   (on_unit),
      .from_flags_o(from_flags)
  );

  eccel_counters #(
      .DigitBits(DigitBits),
      .Columns  (Columns)
  ) u_counters (
      .clk_i,
      .decode_i (state_q == Decode),
      .fetched_i(fetched),
      .execute_i(state_q == Execute),
      .instr_i  (instr),
      .setc_i   (is.setc),
      .loop_i   (is.loop),
      .words_i  (job_i.words),
      .pbits_i  (pbits),
      .nbits_i  (nbits),
      .count_o  (count),
      .last_o   (fu_setting_o.count)
  );

  always_ff @(posedge clk_i) count_q <= is.bits ? count[9:0] : comb_i.position;

  eccel_curve_state #(
      .Lockstep(Lockstep)
  ) u_curve (
      .clk_i,
      .rst_ni,
      .execute_i(state_q == Execute && is.sys),
      .instr_i  (instr),
      .words_i  (job_i.words),
      .curve_i  (job_i.curve),
      .first_i  (mv_first_i & {2{state_q == Long && is.par}}),
      .rdata_i  (mb_rdata_i[0]),
      .pbits_o  (pbits),
      .nbits_o  (nbits),
      .words_o  (curve_o.words),
      .curve_o  (curve_o.id),
      .facts_o  (curve_facts)
  );

  assign facts = '{flags: job_i.flags, curve: curve_facts, unit: fu_facts_i};

  // ------------------------------------------------------------------ jumps and waiting

  logic cond, taken_q, hold_q, jump, starving, starved, abort_q, aborting_q;

  if (Lockstep) begin : gen_lockstep
    eccel_branch_lockstep #(
        .Threads(Threads)
    ) u_branch (
        .clk_i,
        .operands_i(state_q == Operands),
        .instr_i   (instr),
        .br_i      (is.br),
        .on_unit_i (on_unit),
        .facts_i   (facts),
        .lead_i,
        .x_i       (x),
        .flag_i    (flag_q),
        .idle_i    (fu_idle_i),
        .x_o       (lead_x),
        .idle_o    (idle),
        .late_o    (late),
        .jump_o    (cond)
    );

    logic [4:0] count_1, count_2;
    always_ff @(posedge clk_i) {count_2, count_1} <= {count_1, count_q[4:0]};
    assign bit_count = count_2;
  end else begin : gen_single
    eccel_branch u_branch (
        .clk_i,
        .decode_i (state_q == Decode),
        .fetched_i(fetched),
        .instr_i  (instr),
        .br_i     (is.br),
        .on_unit_i(on_unit),
        .facts_i  (facts),
        .b_i      (b[lead_i]),
        .x_i      (x[lead_i]),
        .flag_i   (flag_q[lead_i]),
        .jump_o   (cond)
    );
    assign lead_x = x[lead_i];
    assign idle   = fu_idle_i;
    assign late   = 1'b0;
    assign bit_count = count_q[4:0];
  end

  assign on_carry = !Lockstep && is.br ? instr[F_COND_LSB] == COND_C[0] :
                              instr[3:0] inside {SETB_C, SETB_NOT_C, SETB_B_OR_C, SETB_B_AND_C};

  // Evaluated in Operands, and again while the instruction waits: hold_q falls a cycle after the
  // unit becomes idle, so that flag_q has the final flags.
  always_ff @(posedge clk_i) begin
    hold_q     <= (is.waits || is.br && on_unit || is.setb && from_flags) && !idle || late;
    is_mover_q <= is.load || is.store || is.rnd || is.fill || is.par;
    is_plain_q <= !(is.load || is.store || is.rnd || is.fill || is.par || is.bits || is.done || is.scan || is.caught);
    taken_q    <= is.jumps || is.chk && instr[3:0] != job_i.elements || is.loop && count != 0;
    // The zeroise input ends a job between two instructions, or while it waits for entropy.
    abort_q    <= wipe_i && !aborting_q;
  end

  assign jump = taken_q || cond;

  eccel_program_counter #(
      .PcBits(PcBits)
  ) u_pc (
      .clk_i,
      .halt_i    (state_q == Halt),
      .decode_i  (state_q == Decode),
      .operands_i(state_q == Operands),
      .execute_i (state_q == Execute),
      .instr_i   (instr),
      .is_i      (is),
      .hold_i    (hold_q),
      .jump_i    (jump),
      .starving_i(starving),
      .starved_i (starved),
      .wipe_i,
      .abort_i   (abort_q),
      .entry_i   (job_i.op),
      .pc_o      (pc)
  );

  // ------------------------------------------------------------------ flags of the threads

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic [9:0] verdict;
    eccel_thread_flags #(
        .Lockstep(Lockstep)
    ) u_flags (
        .clk_i,
        .instr_i   (instr),
        .setb_i    (state_q == Execute && is.setb && !hold_q),
        .setx_i    (state_q == Operands && is.sys && instr[F_FN_LSB+:3] == SYS_SETX),
        .fail_i    (state_q == Execute && is.mod && !hold_q),
        .read_i    (state_q == Read4),
        .begin_i   (state_q == Halt),
        .on_flag_i (is.br || is.mod),
        .on_carry_i(on_carry),
        .zero_i    (fu_zero_i[t]),
        .carry_i   (fu_carry_i[t]),
        .due_i     (comb_i.due),
        .count_i   (bit_count),
        .mb_rdata_i(mb_rdata_i[t]),
        .b_o       (b[t]),
        .bit_o     (comb_bit_o[t]),
        .x_o       (x[t]),
        .flag_o    (flag_q[t]),
        .verdict_o (verdict)
    );
    assign fu_sel_o[t] = b[t];
    assign outcome_o[t] = '{
            status: verdict[8] ? verdict[7:0] : instr[F_STATUS_LSB+:8],
            results: verdict[9] ? '0 : instr[3:0]
        };
  end

  // ------------------------------------------------------------------ state

  eccel_timeout u_timeout (
      .clk_i,
      .begin_i(state_q == Operands),
      .taken_i(ent_taken_i),
      .run_i  (state_q == Long && is.rnd),
      .soon_o (starving),
      .over_o (starved)
  );

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Halt:     if (start_i || wipe_i) state_q <= Fetch0;
      Fetch0:   state_q <= Fetch1;
      Fetch1:   state_q <= Decode;
      Decode:   state_q <= abort_q ? Fetch0 : Operands;
      Operands: state_q <= Execute;
      Execute: begin
        if (is_field) begin
          if (fu_ready_i && !fresh_q) state_q <= Decode;
        end else if (!hold_q) begin
          if (is_plain_q) state_q <= jump ? Fetch0 : Decode;
          else if (is.bits) state_q <= Read0;
          else state_q <= is.done ? Halt : Long;
        end
      end
      Read0:    state_q <= Lockstep ? Read1 : Read2;
      Read1:    state_q <= Read2;
      Read2:    state_q <= Lockstep ? Read3 : Read4;
      Read3:    state_q <= Read4;
      Read4:    state_q <= Read5;
      Read5:    state_q <= Decode;
      Long: begin
        if (starved) state_q <= Fetch0;
        else if (!mv_busy_i && !comb_i.busy || is.rnd && abort_q) state_q <= Decode;
      end
      default:  state_q <= Halt;
    endcase

    if (state_q == Decode && abort_q) aborting_q <= 1'b1;
    if (state_q == Halt) aborting_q <= wipe_i;
    if (!rst_ni) begin
      state_q    <= Halt;
      aborting_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ outputs

  // The registers of an operation are stable a cycle before it is valid, those of an indexed one in
  // Execute.
  always_ff @(posedge clk_i) begin
    fresh_q    <= state_q == Operands && is_indexed;
    fu_valid_q <= is_field && (state_q == Operands && !is_indexed || state_q == Execute && (fresh_q || !fu_ready_i));
  end

  assign finish_o = state_q == Execute && is.done && !hold_q;
  assign wiped_o  = aborting_q;

  assign fu_o = '{
          valid: fu_valid_q,
          op: instr[F_OP_LSB+:4],
          rd: instr[F_RD_LSB+:6],
          ra: instr[F_RA_LSB+:6],
          rb: instr[F_RB_LSB+:6]
      };
  assign fu_setting_o.modulus_set = state_q == Execute && is.mod && !hold_q;
  assign fu_setting_o.modulus     = instr[0];
  assign fu_setting_o.pbits       = pbits;

  assign move_o = '{
          start: state_q == Execute && is_mover_q && !hold_q,
          stop: state_q == Long && is.rnd && (starved || abort_q),
          load: is.load,
          store: is.store,
          random: is.rnd,
          fill: is.fill,
          one: is.put1,
          reg_index: is.store ? instr[F_RA_LSB+:6] : instr[F_RD_LSB+:6]
      };

  assign comb_o = '{
          rewind: state_q == Execute && is.caught && instr[0],
          scan: state_q == Execute && is.scan,
          await: state_q == Execute && is.caught,
          stop: wiped_o
      };

  assign mb_slot_o = instr[F_SLOT_LSB+:4];
  assign mb_word_o = count_q[9:5];
  assign curve_o.loaded = curve_facts.loaded;

endmodule
