// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer: fetches 24-bit instructions, issues field operations, runs the control instructions of docs/isa.md.
//
// Requires   start_i / wipe_i as eccel_job_port gives them; the field unit accepts an operation in bounded time.
// Guarantees one finish_o for every start_i and every wipe_i. The cycle of every fetch, issue and memory access depends
//            on public values only: B, the secret select bit, reaches nothing but fu_sel_o (and br, where the assembler
//            has proved it public).
// Latency    5 cycles for an instruction (fetch 2, decode, operands, execute) and what it waits for; ldb, ldd, ldx 9; par 13;
//            wipe, put1 37; rnd W + 8; ld, st 6 + those of the mover. The unit sees an operation one cycle before fu_valid_o.
// Traps      a failed chk goes on at address 62, a starved rnd at 63: the program says what happens there.

module eccel_useq
  import eccel_isa_pkg::*;
#(
    parameter UcodeFile = "",
    parameter int UcodeDepth = 2048,
    parameter int DigitBits = 32  // of the field unit: bits(R) is words_i in whole digits
) (
    input logic clk_i,
    input logic rst_ni,

    // job port
    input  logic       start_i,
    input  logic       wipe_i,
    output logic       finish_o,
    output logic [7:0] status_o,
    output logic [3:0] results_o,
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
    output logic       fu_sel_o,
    output logic [5:0] fu_rd_o,
    output logic [5:0] fu_ra_o,
    output logic [5:0] fu_rb_o,
    input  logic       fu_idle_i,
    input  logic       fu_zero_i,
    input  logic       fu_carry_i,
    output logic       mod_set_o,
    output logic       mod_o,

    // register <-> mailbox mover
    output logic       mv_start_o,
    output logic       mv_store_o,
    output logic [5:0] mv_reg_o,
    output logic [3:0] mv_slot_o,
    input  logic       mv_busy_i,

    // mailbox
    output logic        mb_we_o,
    output logic [ 8:0] mb_waddr_o,
    output logic [31:0] mb_wdata_o,
    output logic [ 8:0] mb_raddr_o,
    input  logic [31:0] mb_rdata_i,

    // entropy
    input  logic        ent_valid_i,
    output logic        ent_ready_o,
    input  logic [31:0] ent_data_i
);

  localparam int PcBits = $clog2(UcodeDepth);
  localparam logic [PcBits-1:0] TrapLength = PcBits'(62);
  localparam logic [PcBits-1:0] TrapEntropy = PcBits'(63);

  typedef enum logic [10:0] {
    Halt     = 11'h001,
    Fetch0   = 11'h002,
    Fetch1   = 11'h004,
    Decode   = 11'h008,
    Operands = 11'h010,
    Execute  = 11'h020,
    Read0    = 11'h040,
    Read1    = 11'h080,
    Read2    = 11'h100,
    Read3    = 11'h400,
    Long     = 11'h200   // rnd, wipe, put1, ld, st
  } state_e;

  state_e state_q;
  logic [PcBits-1:0] pc_q  /* verilator public_flat_rd */;
  logic [PcBits-1:0] stack_q[STACK];
  logic [1:0] sp_q;
  logic [COUNTER_BITS-1:0] counter_q[COUNTERS];
  logic [9:0] pbits_q, nbits_q;
  logic montgomery_q, am3_q, loaded_q, key_q;
  logic [4:0] curve_words_q;
  logic [7:0] curve_q;
  logic b_q, p_q;
  logic [3:0] x_q;
  logic [4:0] fill_q;
  logic [15:0] starve_q;
  logic aborting_q;

  logic [WORD_BITS-1:0] fetched, instr;
  logic [4:0] opcode;
  logic instr_valid  /* verilator public_flat_rd */;

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

  // ------------------------------------------------------------------ decoded instruction

  logic is_field, is_jump, is_br, is_call, is_ret, is_setc, is_loop, is_bit, is_setb, is_move, is_rnd, is_mod, is_chk;
  logic is_done, is_sys, is_fill, is_par, is_indexed, waits_idle;

  always_ff @(posedge clk_i) begin
    if (state_q == Decode) begin
      instr    <= fetched;
      is_field <= !fetched[23];
      is_jump  <= fetched[23:19] inside {OP_JMP, OP_CALL};
      is_br    <= fetched[23:19] == OP_BR;
      is_call  <= fetched[23:19] == OP_CALL;
      is_ret   <= fetched[23:19] == OP_RET;
      is_setc  <= fetched[23:19] == OP_SETC;
      is_loop  <= fetched[23:19] == OP_LOOP;
      is_bit   <= fetched[23:19] inside {OP_LDB, OP_LDX};
      is_setb  <= fetched[23:19] == OP_SETB;
      is_move  <= fetched[23:19] inside {OP_LD, OP_ST};
      is_rnd   <= fetched[23:19] == OP_RND;
      is_mod   <= fetched[23:19] == OP_MOD;
      is_chk   <= fetched[23:19] == OP_CHK;
      is_done  <= fetched[23:19] == OP_DONE;
      is_sys   <= fetched[23:19] == OP_SYS;
      is_fill  <= fetched[23:19] == OP_SYS && fetched[F_FN_LSB+:3] inside {SYS_WIPE, SYS_PUT1};
      is_par   <= fetched[23:19] == OP_SYS && fetched[F_FN_LSB+:3] == SYS_PAR;
      is_indexed <= fetched[23:19] inside {OP_MULX, OP_MOVX};
      waits_idle <= fetched[23:19] inside {OP_LD, OP_ST, OP_MOD, OP_DONE} ||
                    fetched[23:19] == OP_BR && fetched[F_COND_LSB+:4] inside {COND_Z, COND_C} ||
                    fetched[23:19] == OP_SETB && fetched[3:0] inside {SETB_C, SETB_NOT_C, SETB_Z, SETB_NOT_Z,
                      SETB_B_OR_C, SETB_B_OR_Z, SETB_B_AND_C, SETB_B_AND_Z};
    end
  end

  // ------------------------------------------------------------------ where it goes

  logic cond, cond_q, arity_q, go, jump, leave, zero_q;
  logic [COUNTER_BITS-1:0] count, count_q, count_base, count_next;
  logic [1:0] cnt;

  assign cnt = instr[F_COUNTER_LSB+:2];
  assign count = counter_q[cnt];

  always_comb begin
    unique case (instr[F_COND_LSB+:4])
      COND_Z:      cond = fu_zero_i;
      COND_C:      cond = fu_carry_i;
      COND_B:      cond = b_q;
      COND_XZ:     cond = x_q == 0;
      COND_KEY:    cond = key_q;
      COND_MONT:   cond = montgomery_q;
      COND_AM3:    cond = am3_q;
      COND_LOADED: cond = loaded_q;
      COND_F0:     cond = flags_i[0];
      COND_F1:     cond = flags_i[1];
      COND_F2:     cond = flags_i[2];
      COND_F3:     cond = flags_i[3];
      default:     cond = 1'b0;
    endcase
  end

  // idle_q: the unit has been idle for a cycle, so cond_q has seen the final flags.
  logic idle_q;
  always_ff @(posedge clk_i) begin
    idle_q  <= fu_idle_i;
    cond_q  <= cond ^ instr[F_INVERT_LSB];
    count_q <= count;
    zero_q  <= count == 0;
    arity_q <= instr[3:0] == elements_i;
  end

  assign go = is_field ? fu_ready_i : !waits_idle || idle_q;
  assign jump = is_jump || is_br && cond_q || is_loop && !zero_q;

  always_comb begin
    unique case (instr[F_BASE_LSB+:2])
      BASE_PBITS: count_base = COUNTER_BITS'(pbits_q);
      BASE_NBITS: count_base = COUNTER_BITS'(nbits_q);
      BASE_RBITS: count_base = {words_i, 5'd0} + (DigitBits == 64 && words_i[0] ? 11'd32 : 11'd0);
      default:    count_base = '0;
    endcase
    count_next = (is_loop ? count_q : count_base) + (is_loop ? '1 : instr[COUNTER_BITS-1:0]);
  end

  // ------------------------------------------------------------------ signed windows

  logic is_digit, digit_due, digit_sign;
  logic [2:0] digit_window;
  logic bit_read;

  assign is_digit = instr[F_MODE_LSB+:2] == LDB_DIGIT;

  eccel_recoder u_recoder (
      .clk_i,
      .clear_i (state_q == Execute && is_sys && instr[F_FN_LSB+:3] == SYS_SETX),
      .step_i  (state_q == Read3 && is_bit && !instr[F_OP_LSB] && is_digit),
      .bit_i   (bit_read),
      .due_o   (digit_due),
      .sign_o  (digit_sign),
      .window_o(digit_window)
  );

  // ------------------------------------------------------------------ state

  logic fill_last, starved, entropy_taken;
  logic [3:0] nibble;
  logic [4:0] fill_next;

  eccel_inc #(.Width(5)) u_inc_fill (.d_i(fill_q), .q_o(fill_next));

  always_ff @(posedge clk_i) nibble <= mb_rdata_i[{count_q[4:2], 2'b00}+:4];
  assign bit_read = nibble[count_q[1:0]];
  assign fill_last = mb_we_o && fill_q == (is_rnd ? words_i + 5'd2 : 5'd31);
  // A maximal-length shift register is one step before its start value after 65,534 cycles.
  assign starved = starve_q == 16'h8000;
  assign entropy_taken = ent_valid_i && ent_ready_o;

  always_comb begin
    unique case (state_q)
      Execute: leave = go && !is_bit && !is_move && !is_rnd && !is_fill && !is_par;
      Read3:   leave = !is_par || fill_q[0];
      Long:    leave = is_move ? !mv_busy_i : fill_last;
      default: leave = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Halt:     if (start_i || wipe_i) state_q <= Fetch0;
      Fetch0:   state_q <= Fetch1;
      Fetch1:   state_q <= Decode;
      Decode:   state_q <= Operands;
      Operands: state_q <= Execute;
      Execute: begin
        if (go) begin
          if (is_bit || is_par) state_q <= Read0;
          else if (is_move || is_rnd || is_fill) state_q <= Long;
          else if (is_done) state_q <= Halt;
          else state_q <= Fetch0;
        end
      end
      Read0:    state_q <= Read1;
      Read1:    state_q <= Read2;
      Read2:    state_q <= Read3;
      Read3:    state_q <= leave ? Fetch0 : Read0;
      Long:     if (leave || is_rnd && starved) state_q <= Fetch0;
      default:  state_q <= Halt;
    endcase

    if (state_q == Halt) pc_q <= PcBits'(op_i);
    if (leave) pc_q <= is_ret ? stack_q[sp_q-2'd1] : jump ? instr[PcBits-1:0] : pc_q + 1'b1;
    if (state_q == Execute && is_chk && !arity_q) pc_q <= TrapLength;
    if (state_q == Long && is_rnd && starved) pc_q <= TrapEntropy;

    if (state_q == Execute && go) begin
      if (is_call) stack_q[sp_q] <= pc_q + 1'b1;
      sp_q <= sp_q + 2'(is_call) - 2'(is_ret);
      if (is_setc || is_loop && !zero_q) counter_q[cnt] <= count_next;
      if (is_setb) begin
        unique case (instr[3:0])
          SETB_ZERO:    b_q <= 1'b0;
          SETB_ONE:     b_q <= 1'b1;
          SETB_C:       b_q <= fu_carry_i;
          SETB_NOT_C:   b_q <= !fu_carry_i;
          SETB_Z:       b_q <= fu_zero_i;
          SETB_NOT_Z:   b_q <= !fu_zero_i;
          SETB_P:       b_q <= p_q;
          SETB_NOT_P:   b_q <= !p_q;
          SETB_NOT_B:   b_q <= !b_q;
          SETB_B_OR_C:  b_q <= b_q | fu_carry_i;
          SETB_B_OR_Z:  b_q <= b_q | fu_zero_i;
          SETB_B_AND_C: b_q <= b_q & fu_carry_i;
          SETB_B_AND_Z: b_q <= b_q & fu_zero_i;
          SETB_P_ZERO:  p_q <= 1'b0;
          SETB_P_ONE:   p_q <= 1'b1;
          default: ;
        endcase
      end
      if (is_sys) begin
        unique case (instr[F_FN_LSB+:3])
          SYS_KEYV: key_q <= instr[0];
          SYS_PAR: begin
            loaded_q      <= 1'b0;
            curve_words_q <= words_i;
          end
          SYS_LOADED: begin
            loaded_q <= instr[0];
            curve_q  <= curve_i;
          end
          SYS_SETX: x_q <= instr[3:0];  // and clears the recoders
          default: ;
        endcase
      end
    end
    if (state_q == Read3) begin
      if (is_bit) begin
        if (instr[F_OP_LSB]) x_q <= nibble;  // ldx
        else if (is_digit) begin
          b_q <= digit_due;
          p_q <= digit_sign;
          x_q <= {digit_window, 1'b0};
        end else begin
          b_q <= bit_read ^ (instr[F_MODE_LSB] ? p_q : instr[F_MODE_LSB+1]);
          if (instr[F_MODE_LSB]) p_q <= bit_read;
        end
      end else if (!fill_q[0]) begin  // par: word 0, then word 1 of slot 0
        pbits_q <= mb_rdata_i[9:0];
        nbits_q <= mb_rdata_i[25:16];
      end else begin
        montgomery_q <= mb_rdata_i[0];
        am3_q        <= mb_rdata_i[8];
      end
    end
    if (state_q == Operands) fill_q <= '0;
    else if (mb_we_o || state_q == Read3) fill_q <= fill_next;
    starve_q <= {starve_q[14:0], starve_q[15] ^ starve_q[14] ^ starve_q[12] ^ starve_q[3]};
    if (state_q == Operands || entropy_taken) starve_q <= 16'h0001;

    // The zeroise input ends a job between two instructions, or while it waits for entropy.
    if (wipe_i && !aborting_q && (state_q == Fetch0 || state_q == Long && is_rnd)) begin
      aborting_q <= 1'b1;
      pc_q       <= '0;
      sp_q       <= '0;
      state_q    <= Fetch0;
    end
    if (state_q == Halt) begin
      aborting_q <= wipe_i;
      sp_q       <= '0;
      if (wipe_i) pc_q <= '0;
    end
    if (!rst_ni) begin
      state_q    <= Halt;
      loaded_q   <= 1'b0;
      key_q      <= 1'b0;
      aborting_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ outputs

  assign finish_o  = state_q == Execute && go && is_done;
  assign status_o  = instr[F_STATUS_LSB+:8];
  assign results_o = instr[3:0];

  assign fu_valid_o = state_q == Execute && is_field;
  assign fu_op_o    = opcode[3:0];
  assign fu_sel_o   = b_q;
  assign fu_rd_o    = instr[F_RD_LSB+:6];
  assign fu_ra_o    = instr[F_RA_LSB+:6];
  assign fu_rb_o    = instr[F_RB_LSB+:6] | (is_indexed ? 6'(x_q) : 6'd0);
  assign mod_set_o  = state_q == Execute && go && is_mod;
  assign mod_o      = instr[0];

  assign mv_start_o = state_q == Execute && go && is_move;
  assign mv_store_o = !instr[F_OP_LSB];  // st is even, ld odd
  assign mv_reg_o   = mv_store_o ? instr[F_RA_LSB+:6] : instr[F_RD_LSB+:6];
  assign mv_slot_o  = instr[F_SLOT_LSB+:4];

  assign ent_ready_o = state_q == Long && is_rnd;
  assign mb_we_o     = state_q == Long && (is_fill || is_rnd && ent_valid_i);
  assign mb_waddr_o  = {instr[3:0], fill_q};
  // 0 unless this unit writes: the writers' data are joined by OR.
  assign mb_wdata_o  = (ent_data_i & {32{ent_ready_o}}) | 32'(is_fill && instr[F_FN_LSB+2] && fill_q == 0);
  assign mb_raddr_o  = {is_par ? 4'd0 : instr[3:0], is_par ? fill_q : count_q[9:5]};

  assign loaded_o = loaded_q;
  assign curve_words_o = curve_words_q;
  assign curve_o = curve_q;

endmodule
