// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer: fetches 24-bit instructions, issues field operations, runs the control instructions of docs/isa.md.
//
// Requires   start_i / wipe_i as eccel_job_port gives them; the field unit accepts an operation in bounded time; the
//            mover is busy from the cycle behind mv_start_o on until it is done or stopped.
// Guarantees one finish_o for every start_i and every wipe_i. The cycle of every fetch, issue and memory access depends
//            on public values only: B, the secret select bit, reaches nothing but fu_sel_o (and br, where the assembler
//            has proved it public).
// Latency    3 cycles for an instruction (decode, operands, execute) and what it waits for: the word behind it is fetched
//            meanwhile. 2 more (fetch) for a jump that is taken, 1 for mulx and movx; ldb, ldd, ldx 7; ld, st, par, rnd,
//            wipe, put1 4 + those of the mover; scan, caught, rewind 4 + those of the table's unit. The unit sees an operation
//            one cycle before fu_valid_o. In lock step a br takes 2 more, and what waits for the unit sees it idle a cycle later.
// Traps      a failed chk goes on at address 62, a starved rnd at 63: the program says what happens there.

module eccel_useq
  import eccel_isa_pkg::*;
#(
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int DigitBits = 32,  // of the field unit: bits(R) is words_i in whole digits
    parameter int Threads = 1,
    parameter bit Lockstep = 1'b0,  // see eccel_thread_flags
    parameter int Columns = 0,  // of the base point's comb, for setc (Lockstep)
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,
    input logic rst_ni,

    // job port
    input  logic       start_i,
    input  logic       wipe_i,
    output logic       finish_o,
    output logic       wiped_o,    // what finishes was started by wipe_i
    input  logic [ThreadBits-1:0] lead_i,  // thread whose X addresses registers and whose flags branches look at
    output logic [7:0] status_o[Threads],
    output logic [3:0] results_o[Threads],  // 0 for a thread that has failed
    input  logic [5:0] op_i,
    input  logic [3:0] flags_i,
    input  logic [3:0] elements_i,
    input  logic [4:0] words_i,
    output logic       loaded_o,
    output logic [4:0] curve_words_o,
    output logic [7:0] curve_o,
    input  logic [7:0] curve_i,

    // field unit
    output logic       fu_valid_o,
    input  logic       fu_ready_i,
    output logic [3:0] fu_op_o,
    output logic [Threads-1:0] fu_sel_o,
    output logic [5:0] fu_rd_o,
    output logic [5:0] fu_ra_o,
    output logic [5:0] fu_rb_o,
    input  logic       fu_idle_i,
    input  logic [Threads-1:0] fu_zero_i,
    input  logic [Threads-1:0] fu_carry_i,
    output logic       mod_set_o,
    output logic       mod_o,

    // mover: ld, st, par, and what fills a slot: rnd, wipe, put1
    output logic       mv_start_o,
    output logic       mv_stop_o,
    output logic       mv_load_o,   // ld
    output logic       mv_store_o,  // st
    output logic       mv_random_o, // rnd
    output logic       mv_fill_o,   // wipe, put1
    output logic       mv_one_o,    // put1
    output logic [5:0] mv_reg_o,
    input  logic       mv_busy_i,
    input  logic [1:0] mv_first_i,  // the mover is at word 0, 1

    // table of the base point, as eccel_comb says (Lockstep)
    output logic               comb_rewind_o,
    output logic               comb_scan_o,
    output logic               comb_wait_o,
    input  logic               comb_busy_i,
    input  logic [        9:0] comb_pos_i,
    input  logic               comb_due_i,
    output logic [Threads-1:0] comb_bit_o,

    // mailbox: slot of the instruction, word of the bit to be read (0 for other instructions)
    output logic [ 3:0] mb_slot_o,
    output logic [ 4:0] mb_word_o,
    input  logic [31:0] mb_rdata_i[Threads],

    input logic ent_taken_i  // a word of entropy has come
);

  localparam int PcBits = $clog2(UcodeDepth);
  localparam logic [5:0] TrapLength = 6'd62;
  localparam logic [5:0] TrapEntropy = 6'd63;

  typedef enum logic [10:0] {  // one-hot
    Halt     = 11'h001,
    Fetch0   = 11'h002,
    Fetch1   = 11'h004,
    Decode   = 11'h008,
    Operands = 11'h010,
    Execute  = 11'h020,
    Read0    = 11'h040,
    Read1    = 11'h080,
    Read2    = 11'h100,
    Read3    = 11'h200,
    Long     = 11'h400   // the mover works
  } state_e;

  state_e state_q;
  // Behind Decode the address of the next instruction, which is on its way through the ROM.
  logic [PcBits-1:0] pc_q;
  logic [PcBits-1:0] stack_q[STACK], other_q, pc_next;
  logic [1:0] sp_q;
  logic [COUNTER_BITS-1:0] counter_q[COUNTERS];
  logic [9:0] pbits_q, nbits_q;
  logic montgomery_q, am3_q, loaded_q, key_q, comb_q;
  logic [4:0] curve_words_q;
  logic [7:0] curve_q;
  logic b[Threads], flag_q[Threads];
  logic [3:0] x[Threads];
  logic lead_b, lead_xz, lead_flag;  // of the leading thread: what branches look at, what addresses registers
  logic [3:0] lead_x;
  logic settles, settled, idle, late;
  logic [15:0] starve_q;
  logic starve_end_q;
  logic aborting_q;
  logic [1:0] par_q;

  logic [WORD_BITS-1:0] fetched, instr;
  logic [4:0] opcode;
  logic instr_valid  /* verilator public_flat_rd */;
  logic [PcBits-1:0] instr_pc  /* verilator public_flat_rd */;

  eccel_rom #(
      .Width(WORD_BITS),
      .Depth(UcodeDepth),
      .InitFile(UcodeFile)
  ) u_ucode (
      .clk_i,
      .raddr_i(pc_q),
      .rdata_o(fetched)
  );

  assign opcode = instr[F_OP_LSB+:F_OP_BITS];
  assign instr_valid = state_q == Execute;
  assign instr_pc = pc_q - 1'b1;

  // ------------------------------------------------------------------ decoded instruction

  logic is_field, is_br, is_call, is_ret, is_setc, is_loop, is_bit, is_setb, is_load, is_store, is_rnd;
  logic is_mod, is_chk, is_done, is_sys, is_fill, is_one, is_par, is_mover, is_plain;
  logic is_always, has_target, is_indexed, is_scan, is_wait;
  logic waits, on_unit, on_flags, on_carry, from_flags, fresh_q;

  // Control instructions only: all of them are 0 for a field operation.
  always_ff @(posedge clk_i) begin
    if (state_q == Decode) begin
      instr      <= fetched;
      is_indexed <= fetched[23:19] inside {OP_MULX, OP_MOVX};
      is_field   <= !fetched[23];
      is_br      <= fetched[22:19] == OP_BR[3:0];
      is_call    <= fetched[22:19] == OP_CALL[3:0];
      is_ret     <= fetched[22:19] == OP_RET[3:0];
      is_always  <= fetched[22:19] inside {OP_JMP[3:0], OP_CALL[3:0], OP_RET[3:0]};
      has_target <= fetched[22:19] inside {OP_JMP[3:0], OP_CALL[3:0], OP_BR[3:0], OP_LOOP[3:0]};
      is_setc    <= fetched[22:19] == OP_SETC[3:0];
      is_loop    <= fetched[22:19] == OP_LOOP[3:0];
      is_bit     <= fetched[22:19] inside {OP_LDB[3:0], OP_LDX[3:0]};
      is_setb    <= fetched[22:19] == OP_SETB[3:0];
      is_load    <= fetched[22:19] == OP_LD[3:0];
      is_store   <= fetched[22:19] == OP_ST[3:0];
      is_rnd     <= fetched[22:19] == OP_RND[3:0];
      is_mod     <= fetched[22:19] == OP_MOD[3:0];
      is_chk     <= fetched[22:19] == OP_CHK[3:0];
      is_done    <= fetched[22:19] == OP_DONE[3:0];
      is_sys     <= fetched[22:19] == OP_SYS[3:0];
      is_fill    <= fetched[22:19] == OP_SYS[3:0] && fetched[F_FN_LSB+:3] inside {SYS_WIPE, SYS_PUT1};
      is_one     <= fetched[22:19] == OP_SYS[3:0] && fetched[F_FN_LSB+:3] == SYS_PUT1;
      is_par     <= fetched[22:19] == OP_SYS[3:0] && fetched[F_FN_LSB+:3] == SYS_PAR;
      is_scan    <= Lockstep && fetched[22:19] == OP_SYS[3:0] && fetched[F_FN_LSB+:3] == SYS_SCAN;
      is_wait    <= Lockstep && fetched[22:19] == OP_SYS[3:0] && fetched[F_FN_LSB+:3] == SYS_CAUGHT;
      waits      <= fetched[22:19] inside {OP_LD[3:0], OP_ST[3:0], OP_MOD[3:0], OP_DONE[3:0]};
    end
    if (state_q == Operands && is_indexed) instr[F_RB_LSB+:4] <= instr[F_RB_LSB+:4] | lead_x;
    if (state_q == Decode && !fetched[23] || !rst_ni) begin
      is_br      <= 1'b0;
      is_call    <= 1'b0;
      is_ret     <= 1'b0;
      is_always  <= 1'b0;
      has_target <= 1'b0;
      is_setc    <= 1'b0;
      is_loop    <= 1'b0;
      is_bit     <= 1'b0;
      is_setb    <= 1'b0;
      is_load    <= 1'b0;
      is_store   <= 1'b0;
      is_rnd     <= 1'b0;
      is_mod     <= 1'b0;
      is_chk     <= 1'b0;
      is_done    <= 1'b0;
      is_sys     <= 1'b0;
      is_fill    <= 1'b0;
      is_one     <= 1'b0;
      is_par     <= 1'b0;
      is_scan    <= 1'b0;
      is_wait    <= 1'b0;
      waits      <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ counters

  logic [COUNTER_BITS-1:0] operand_q, base, left_q, addend_q, count_next;
  logic [9:0] count_q;
  logic count_we, unused_carry, again_q;

  assign count_we = state_q == Execute && (is_setc || again_q);

  always_comb begin
    unique case (instr[F_BASE_LSB+1+:2])
      BASE_PBITS[2:1]: base = COUNTER_BITS'(pbits_q);
      BASE_NBITS[2:1]: base = COUNTER_BITS'(nbits_q);
      BASE_RBITS[2:1]: base = {words_i, 5'd0} + (DigitBits == 64 && words_i[0] ? 11'd32 : 11'd0);
      default:         base = Lockstep && instr[F_BASE_LSB] ? COUNTER_BITS'(Columns) : '0;  // COLS
    endcase
  end

  // loop: the counter - 1; setc: base + immediate
  always_ff @(posedge clk_i) begin
    if (state_q == Decode) operand_q <= counter_q[fetched[F_COUNTER_LSB+:2]];
    count_q  <= is_bit ? operand_q[9:0] : comb_pos_i;
    left_q   <= is_loop ? operand_q : base;
    addend_q <= is_loop ? '1 : instr[COUNTER_BITS-1:0];
    if (count_we) counter_q[instr[F_COUNTER_LSB+:2]] <= count_next;
  end

  eccel_add #(
      .Width(COUNTER_BITS)
  ) u_add_count (
      .a_i  (left_q),
      .b_i  (addend_q),
      .add_i(1'b1),
      .sub_i(1'b0),
      .c_i  (1'b0),
      .sum_o({unused_carry, count_next})
  );

  // ------------------------------------------------------------------ where it goes

  // In lock step the choice of a flag and of a thread takes two cycles: X stands a cycle before it is needed, a branch
  // waits.
  if (Lockstep) begin : gen_lead
    logic lead_flag_q, settled_q, idle_q, operands_q;
    logic [3:0] lead_x_q;
    always_ff @(posedge clk_i) begin
      lead_flag_q <= flag_q[lead_i];
      settled_q   <= settles;
      lead_x_q    <= x[lead_i];
      idle_q      <= fu_idle_i;
      operands_q  <= state_q == Operands;
    end
    assign {lead_b, lead_xz} = '0;
    assign lead_flag = lead_flag_q;
    assign lead_x    = lead_x_q;
    assign idle      = idle_q;
    assign late      = is_br && (state_q == Operands || operands_q);
    assign settled   = settled_q;
  end else begin : gen_own
    assign lead_b    = b[lead_i];
    assign lead_xz   = x[lead_i] == 0;
    assign lead_flag = flag_q[lead_i];
    assign lead_x    = x[lead_i];
    assign idle      = fu_idle_i;
    assign late      = 1'b0;
    assign settled   = settles;
  end

  logic cond;
  logic [1:0] cond_q;  // a br jumps for either value of the flag
  logic taken_q, hold_q, jump, target_q, starving_q, starved_q, abort, unused_pc_carry;
  logic [5:0] trap;  // or entry

  assign on_unit    = instr[F_COND_LSB+:4] inside {COND_Z, COND_C};
  assign on_flags   = on_unit || Lockstep && (instr[F_COND_LSB+:4] inside {COND_B, COND_XZ});
  assign from_flags = instr[3:0] inside {SETB_C, SETB_NOT_C, SETB_Z, SETB_NOT_Z, SETB_B_OR_C, SETB_B_OR_Z, SETB_B_AND_C,
                                         SETB_B_AND_Z};
  assign on_carry   = !Lockstep && is_br ? instr[F_COND_LSB] == COND_C[0] :
                              instr[3:0] inside {SETB_C, SETB_NOT_C, SETB_B_OR_C, SETB_B_AND_C};

  // What does not depend on the flags of the field unit; 0 for these.
  always_comb begin
    unique case (instr[F_COND_LSB+:4])
      COND_B:      settles = lead_b;
      COND_XZ:     settles = lead_xz;
      COND_KEY:    settles = key_q;
      COND_MONT:   settles = montgomery_q;
      COND_AM3:    settles = am3_q;
      COND_LOADED: settles = loaded_q;
      COND_F0:     settles = flags_i[0];
      COND_F1:     settles = flags_i[1];
      COND_F2:     settles = flags_i[2];
      COND_F3:     settles = flags_i[3];
      COND_COMB:   settles = Lockstep && comb_q;
      default:     settles = 1'b0;
    endcase
  end

  // Decided in Operands, and again while the instruction waits: hold_q falls a cycle behind the busy unit, so that flag_q
  // has seen the final flags. Behind an instruction that does not jump target_q and other_q are 0:
  // in Decode the address only counts.
  always_ff @(posedge clk_i) begin
    hold_q   <= (waits || is_br && on_unit || is_setb && from_flags) && !idle || late;
    is_mover <= is_load || is_store || is_rnd || is_fill || is_par;
    is_plain <= !(is_load || is_store || is_rnd || is_fill || is_par || is_bit || is_done || is_scan || is_wait);
    taken_q  <= is_always || is_chk && instr[3:0] != elements_i || is_loop && operand_q != 0;
    cond_q[0] <= is_br && (on_flags ? instr[F_INVERT_LSB] : settled != instr[F_INVERT_LSB]);
    cond_q[1] <= is_br && (on_flags ? !instr[F_INVERT_LSB] : settled != instr[F_INVERT_LSB]);
    again_q  <= is_loop && operand_q != 0;
    target_q <= has_target && (state_q == Operands || state_q == Execute && hold_q);
    other_q  <= is_ret ? stack_q[sp_q] : PcBits'(trap);
    if (!(state_q == Operands && (is_ret || is_chk) || state_q == Halt || starving_q)) other_q <= '0;
  end

  assign trap = state_q == Halt ? op_i : is_chk ? TrapLength : TrapEntropy;
  assign cond = cond_q[lead_flag];
  assign jump = taken_q || cond;
  // The zeroise input ends a job between two instructions, or while it waits for entropy.
  assign abort = wipe_i && !aborting_q;

  eccel_add #(
      .Width(PcBits)
  ) u_add_pc (
      .a_i  ((instr[PcBits-1:0] & {PcBits{target_q}}) | other_q),
      .b_i  (pc_q),
      .add_i(state_q == Decode),
      .sub_i(1'b0),
      .c_i  (state_q == Decode),
      .sum_o({unused_pc_carry, pc_next})
  );

  // ------------------------------------------------------------------ flags of the threads

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic [9:0] verdict;

    eccel_thread_flags #(
        .Lockstep(Lockstep)
    ) u_flags (
        .clk_i,
        .instr_i   (instr),
        .setb_i    (state_q == Execute && is_setb && !hold_q),
        .setx_i    (state_q == Operands && is_sys && instr[F_FN_LSB+:3] == SYS_SETX),
        .fail_i    (state_q == Execute && is_mod && !hold_q),
        .read_i    (state_q == Read2),
        .begin_i   (state_q == Halt),
        .on_flag_i (is_br || is_mod),
        .on_carry_i(on_carry),
        .zero_i    (fu_zero_i[t]),
        .carry_i   (fu_carry_i[t]),
        .due_i     (comb_due_i),
        .count_i   (count_q[4:0]),
        .mb_rdata_i(mb_rdata_i[t]),
        .b_o       (b[t]),
        .bit_o     (comb_bit_o[t]),
        .x_o       (x[t]),
        .flag_o    (flag_q[t]),
        .verdict_o (verdict)
    );
    assign fu_sel_o[t] = b[t];
    assign status_o[t]  = verdict[8] ? verdict[7:0] : instr[F_STATUS_LSB+:8];
    assign results_o[t] = verdict[9] ? '0 : instr[3:0];
  end

  // ------------------------------------------------------------------ state

  // A maximal-length shift register, which comes to its end 65,531 cycles behind its third value: in three cycles more
  // starved_q follows.
  always_ff @(posedge clk_i) begin
    starve_q  <= {starve_q[14:0], starve_q[15] ^ starve_q[14] ^ starve_q[12] ^ starve_q[3]};
    starve_end_q <= starve_q == 16'hc000;
    starving_q   <= state_q == Long && is_rnd && starve_end_q;
    starved_q    <= state_q == Long && starving_q;
    if (state_q == Operands || ent_taken_i) begin
      starve_q     <= 16'h0004;
      starve_end_q <= 1'b0;
      starving_q   <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Halt:     if (start_i || wipe_i) state_q <= Fetch0;
      Fetch0:   state_q <= Fetch1;
      Fetch1:   state_q <= Decode;
      Decode:   state_q <= abort ? Fetch0 : Operands;
      Operands: state_q <= Execute;
      Execute: begin
        if (is_field) begin
          if (fu_ready_i && !fresh_q) state_q <= Decode;
        end else if (!hold_q) begin
          if (is_plain) state_q <= jump ? Fetch0 : Decode;
          else if (is_bit) state_q <= Read0;
          else state_q <= is_done ? Halt : Long;
        end
      end
      Read0:    state_q <= Read1;
      Read1:    state_q <= Read2;
      Read2:    state_q <= Read3;
      Read3:    state_q <= Decode;
      Long: begin
        if (starved_q) state_q <= Fetch0;
        else if (!mv_busy_i && !comb_busy_i || is_rnd && abort) state_q <= Decode;
      end
      default:  state_q <= Halt;
    endcase

    if (state_q == Halt || state_q == Decode || starved_q || state_q == Execute && jump && !hold_q)
      pc_q <= pc_next;
    if (state_q == Halt && wipe_i || state_q == Decode && abort) pc_q <= '0;

    if (state_q == Execute) begin
      if (is_call) stack_q[sp_q+2'd1] <= pc_q;
      sp_q <= sp_q + 2'(is_call) - 2'(is_ret);
      if (is_sys) begin
        unique case (instr[F_FN_LSB+:3])
          SYS_KEYV: key_q <= instr[0];
          SYS_PAR: begin
            loaded_q      <= 1'b0;
            comb_q        <= 1'b0;
            curve_words_q <= words_i;
          end
          SYS_LOADED: begin
            loaded_q <= instr[0];
            comb_q   <= Lockstep && instr[1];
            curve_q  <= curve_i;
          end
          default: ;
        endcase
      end
    end
    // The mover rests on each word for three cycles at least; in the last of them and in the next its data are here.
    par_q <= mv_first_i & {2{state_q == Long && is_par}};
    if (par_q[0]) begin
      pbits_q <= mb_rdata_i[0][9:0];
      nbits_q <= mb_rdata_i[0][25:16];
    end
    if (par_q[1]) begin
      montgomery_q <= mb_rdata_i[0][0];
      am3_q        <= mb_rdata_i[0][8];
    end

    if (state_q == Decode && abort) begin
      aborting_q <= 1'b1;
      sp_q       <= '0;
    end
    if (state_q == Halt) begin
      aborting_q <= wipe_i;
      sp_q       <= '0;
    end
    if (!rst_ni) begin
      state_q    <= Halt;
      loaded_q   <= 1'b0;
      key_q      <= 1'b0;
      aborting_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ outputs

  // The registers of an operation stand a cycle before it is valid: those of an indexed one in Execute.
  always_ff @(posedge clk_i) begin
    fresh_q    <= state_q == Operands && is_indexed;
    fu_valid_o <= is_field && (state_q == Operands && !is_indexed || state_q == Execute && (fresh_q || !fu_ready_i));
  end

  assign finish_o  = state_q == Execute && is_done && !hold_q;
  assign wiped_o   = aborting_q;

  assign fu_op_o    = opcode[3:0];
  assign fu_rd_o    = instr[F_RD_LSB+:6];
  assign fu_ra_o    = instr[F_RA_LSB+:6];
  assign fu_rb_o    = instr[F_RB_LSB+:6];
  assign mod_set_o  = state_q == Execute && is_mod && !hold_q;
  assign mod_o      = instr[0];

  assign mv_start_o  = state_q == Execute && is_mover && !hold_q;
  assign mv_stop_o   = state_q == Long && is_rnd && (starved_q || abort);
  assign mv_load_o   = is_load;
  assign mv_store_o  = is_store;
  assign mv_random_o = is_rnd;
  assign mv_fill_o   = is_fill;
  assign mv_one_o    = is_one;
  assign mv_reg_o    = is_store ? instr[F_RA_LSB+:6] : instr[F_RD_LSB+:6];

  assign comb_scan_o   = state_q == Execute && is_scan;
  assign comb_wait_o   = state_q == Execute && is_wait;
  assign comb_rewind_o = comb_wait_o && instr[0];

  assign mb_slot_o = instr[F_SLOT_LSB+:4];
  assign mb_word_o = count_q[9:5];

  assign loaded_o = loaded_q;
  assign curve_words_o = curve_words_q;
  assign curve_o = curve_q;

endmodule
