// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Decides for all threads of a lock-step machine whether a br jumps, by the flags of the leading
// thread; gives the X that addresses registers. Selecting a flag and a thread takes two cycles.
//
// Requires   instr_i, br_i and on_unit_i are valid from operands_i on, which is 1 for one cycle of
//            each instruction. flag_i is Z, C, B or X == 0 of each thread, as eccel_thread_flags
//            selects it for a br.
// Guarantees x_o and idle_o are the leader's x_i and idle_i of the previous cycle. late_o: jump_o
//            is not yet valid in the next cycle. While the instruction waits for idle_i, jump_o
//            follows flag_i.
// Latency    4 cycles from operands_i to jump_o

module eccel_branch_lockstep
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter int Threads = 4,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,

    input logic                  operands_i,
    input logic [ WORD_BITS-1:0] instr_i,
    input logic                  br_i,
    input logic                  on_unit_i,
    input facts_t                facts_i,
    input logic [ThreadBits-1:0] lead_i,
    input logic [           3:0] x_i[Threads],
    input logic                  flag_i[Threads],
    input logic                  idle_i,

    output logic [3:0] x_o,
    output logic       idle_o,
    output logic       late_o,
    output logic       jump_o
);

  logic fact, fact_q, flag_q, operands_q, on_flags, invert;
  logic [1:0] jump_q;  // for either value of the flag

  assign on_flags = on_unit_i || (instr_i[F_COND_LSB+:4] inside {COND_B, COND_XZ});
  assign invert   = instr_i[F_INVERT_LSB];

  always_comb begin
    unique case (instr_i[F_COND_LSB+:4])
      COND_KEY:    fact = facts_i.curve.key;
      COND_MONT:   fact = facts_i.curve.montgomery;
      COND_AM3:    fact = facts_i.curve.am3;
      COND_LOADED: fact = facts_i.curve.loaded;
      COND_F0:     fact = facts_i.flags[0];
      COND_F1:     fact = facts_i.flags[1];
      COND_F2:     fact = facts_i.flags[2];
      COND_F3:     fact = facts_i.flags[3];
      COND_COMB:   fact = facts_i.curve.comb;
      default:     fact = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    flag_q     <= flag_i[lead_i];
    fact_q     <= fact;
    x_o        <= x_i[lead_i];
    idle_o     <= idle_i;
    operands_q <= operands_i;
    jump_q[0]  <= br_i && (on_flags ? 1'b0 : fact_q) != invert;
    jump_q[1]  <= br_i && (on_flags ? 1'b1 : fact_q) != invert;
  end

  assign late_o = br_i && (operands_i || operands_q);
  assign jump_o = jump_q[flag_q];

endmodule
