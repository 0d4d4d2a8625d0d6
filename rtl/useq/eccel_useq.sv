// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Microsequencer: fetches 24-bit instructions, issues field operations, runs the control instructions of docs/isa.md.
//
// Requires   start_i / wipe_i as eccel_job_port gives them; the field unit accepts an operation in bounded time.
// Guarantees one finish_o for every start_i and every wipe_i. The cycle of every fetch, issue and memory access depends
//            on public values only: B, the secret select bit, reaches nothing but fu_sel_o (and br, where the assembler
//            has proved it public).
// Latency    3 cycles for an instruction (fetch 2, execute 1) and what it waits for; ldb, ldx 5; wipe 32; rnd W + 3.

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

  typedef enum logic [3:0] {
    Halt, Fetch0, Fetch1, Execute, Read0, Read1, Read2, Fill, Move
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
  logic [16:0] starve_q;  // cycles without entropy
  logic aborting_q;

  logic [WORD_BITS-1:0] instr;
  logic [4:0] opcode;
  logic is_field, is_fill_wipe, fill_last;
  logic instr_valid  /* verilator public_flat_rd */;

  eccel_rom #(
      .Width(WORD_BITS),
      .Depth(UcodeDepth),
      .InitFile(UcodeFile)
  ) u_ucode (
      .clk_i,
      .raddr_i(pc_q),
      .rdata_o(instr)
  );

  assign opcode = instr[F_OP_LSB+:F_OP_BITS];
  assign is_field = !opcode[4] && OP_FIELD[opcode];
  assign instr_valid = state_q == Execute;

  // ------------------------------------------------------------------ what an instruction waits for, where it goes

  logic waits_idle, go, jump, cond, finish, illegal;
  logic [PcBits-1:0] target;
  logic [COUNTER_BITS-1:0] count, count_next;
  logic count_zero;
  logic [1:0] cnt;

  assign cnt = instr[F_COUNTER_LSB+:2];
  assign count = counter_q[cnt];
  assign count_zero = count == 0;
  assign target = instr[PcBits-1:0];

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

  assign waits_idle = opcode inside {OP_BR, OP_SETB, OP_LD, OP_ST, OP_MOD, OP_DONE};
  assign go = is_field ? fu_ready_i : !waits_idle || fu_idle_i;
  assign jump = opcode == OP_JMP || opcode == OP_CALL || opcode == OP_RET ||
                opcode == OP_BR && (cond ^ instr[F_INVERT_LSB]) || opcode == OP_LOOP && !count_zero;
  assign illegal = !OP_LEGAL[opcode];
  assign finish = opcode == OP_DONE || illegal || opcode == OP_CHK && instr[3:0] != elements_i;
  assign is_fill_wipe = opcode == OP_SYS;
  assign fill_last = mb_we_o && fill_q == (is_fill_wipe ? 5'd31 : words_i + 5'd2);

  always_comb begin
    unique case (instr[F_BASE_LSB+:2])
      BASE_PBITS: count_next = COUNTER_BITS'(pbits_q);
      BASE_NBITS: count_next = COUNTER_BITS'(nbits_q);
      BASE_RBITS: count_next = {words_i, 5'd0} + (DigitBits == 64 && words_i[0] ? 11'd32 : 11'd0);
      default:    count_next = '0;
    endcase
    if (opcode == OP_LOOP) count_next = count;
    count_next = count_next + (opcode == OP_LOOP ? '1 : instr[COUNTER_BITS-1:0]);
  end

  // The instruction stays at the output of the microcode memory until it is left.
  logic single, leave;
  assign single = !(opcode inside {OP_LDB, OP_LDX, OP_LD, OP_ST, OP_RND} ||
                    opcode == OP_SYS && instr[F_FN_LSB+:3] inside {SYS_WIPE, SYS_PUT1, SYS_PAR});
  always_comb begin
    unique case (state_q)
      Execute: leave = go && single;
      Read2:   leave = opcode != OP_SYS || fill_q != 0;
      Fill:    leave = fill_last;
      Move:    leave = !mv_busy_i;
      default: leave = 1'b0;
    endcase
  end

  // ------------------------------------------------------------------ state

  logic [31:0] word;
  logic bit_read, starved;
  logic [3:0] nibble;

  assign word = mb_rdata_i;
  assign nibble = word[{count[4:2], 2'b00}+:4];
  assign bit_read = nibble[count[1:0]];
  assign starved = starve_q[16];

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Halt:   if (start_i || wipe_i) begin
        pc_q    <= wipe_i ? '0 : PcBits'(op_i);
        sp_q    <= '0;
        state_q <= Fetch0;
      end
      Fetch0: state_q <= Fetch1;
      Fetch1: state_q <= Execute;
      Execute: begin
        fill_q   <= '0;
        starve_q <= '0;
        if (go) begin
          state_q <= Fetch0;
          unique case (opcode)
            OP_CALL: begin
              stack_q[sp_q] <= pc_q + 1'b1;
              sp_q          <= sp_q + 1'b1;
            end
            OP_RET: sp_q <= sp_q - 1'b1;
            OP_SETC: counter_q[cnt] <= count_next;
            OP_LOOP: if (!count_zero) counter_q[cnt] <= count_next;
            OP_LDB, OP_LDX: state_q <= Read0;
            OP_SETB: begin
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
            OP_LD, OP_ST: state_q <= Move;
            OP_RND: state_q <= Fill;
            OP_SYS: begin
              unique case (instr[F_FN_LSB+:3])
                SYS_WIPE, SYS_PUT1: state_q <= Fill;
                SYS_KEYV: key_q <= instr[0];
                SYS_PAR: begin
                  loaded_q      <= 1'b0;
                  curve_words_q <= words_i;
                  state_q       <= Read0;
                end
                SYS_LOADED: begin
                  loaded_q <= instr[0];
                  curve_q  <= curve_i;
                end
                SYS_SETX: x_q <= instr[3:0];
                default: ;
              endcase
            end
            default: ;
          endcase
          if (finish) state_q <= Halt;
        end
      end
      Read0: state_q <= Read1;
      Read1: state_q <= Read2;
      Read2: begin
        state_q <= Fetch0;
        if (opcode == OP_LDX) x_q <= nibble;
        if (opcode == OP_LDB) begin
          b_q <= bit_read ^ (instr[F_MODE_LSB] ? p_q : instr[F_MODE_LSB+1]);
          if (instr[F_MODE_LSB]) p_q <= bit_read;
        end
        if (opcode == OP_SYS) begin  // par: word 0, then word 1 of slot 0
          fill_q <= 5'd1;
          if (fill_q == 0) begin
            pbits_q <= word[9:0];
            nbits_q <= word[25:16];
            state_q <= Read0;
          end else begin
            montgomery_q <= word[0];
            am3_q        <= word[8];
          end
        end
      end
      Fill: begin
        starve_q <= starve_q + 1'b1;
        if (mb_we_o) begin
          fill_q   <= fill_q + 1'b1;
          starve_q <= '0;
          if (fill_last) state_q <= Fetch0;
        end
        if (starved && !is_fill_wipe) state_q <= Halt;
      end
      Move: if (!mv_busy_i) state_q <= Fetch0;
      default: state_q <= Halt;
    endcase

    if (leave) pc_q <= jump ? (opcode == OP_RET ? stack_q[sp_q-2'd1] : target) : pc_q + 1'b1;

    // The zeroise input ends a job between two instructions, or while it waits for entropy.
    if (wipe_i && !aborting_q && (state_q == Fetch0 || state_q == Fill && !is_fill_wipe)) begin
      aborting_q <= 1'b1;
      pc_q       <= '0;
      sp_q       <= '0;
      state_q    <= Fetch0;
    end
    if (state_q == Halt) aborting_q <= wipe_i;
    if (!rst_ni) begin
      state_q    <= Halt;
      loaded_q   <= 1'b0;
      key_q      <= 1'b0;
      aborting_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------ outputs

  assign finish_o = state_q == Execute && go && finish || state_q == Fill && starved && !is_fill_wipe && !wipe_i;
  always_comb begin
    status_o  = instr[F_STATUS_LSB+:8];
    results_o = instr[3:0];
    if (state_q == Fill) begin
      status_o  = STATUS_NO_ENTROPY;
      results_o = '0;
    end else if (opcode == OP_CHK) begin
      status_o  = STATUS_BAD_LENGTH;
      results_o = '0;
    end else if (illegal) begin
      status_o  = STATUS_BAD_OP;
      results_o = '0;
    end
  end

  assign fu_valid_o = state_q == Execute && is_field;
  assign fu_op_o    = opcode[3:0];
  assign fu_sel_o   = b_q;
  assign fu_rd_o    = instr[F_RD_LSB+:6];
  assign fu_ra_o    = instr[F_RA_LSB+:6];
  assign fu_rb_o    = instr[F_RB_LSB+:6] | (opcode inside {OP_MULX, OP_MOVX} ? 6'(x_q) : 6'd0);
  assign mod_set_o  = state_q == Execute && go && opcode == OP_MOD;
  assign mod_o      = instr[0];

  assign mv_start_o = state_q == Execute && go && opcode inside {OP_LD, OP_ST};
  assign mv_store_o = opcode == OP_ST;
  assign mv_reg_o   = opcode == OP_ST ? instr[F_RA_LSB+:6] : instr[F_RD_LSB+:6];
  assign mv_slot_o  = instr[F_SLOT_LSB+:4];

  assign ent_ready_o = state_q == Fill && !is_fill_wipe;
  assign mb_we_o     = state_q == Fill && (is_fill_wipe || ent_valid_i);
  assign mb_waddr_o  = {instr[3:0], fill_q};
  assign mb_wdata_o  = is_fill_wipe ? 32'(instr[F_FN_LSB+:3] == SYS_PUT1 && fill_q == 0) : ent_data_i;
  assign mb_raddr_o  = opcode == OP_SYS ? {4'd0, fill_q} : {instr[3:0], count[9:5]};

  assign loaded_o = loaded_q;
  assign curve_words_o = curve_words_q;
  assign curve_o = curve_q;

endmodule
