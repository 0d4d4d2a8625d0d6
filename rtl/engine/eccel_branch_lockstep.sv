// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Decides for all threads of a lock-step machine whether a br jumps, by the flags of the leading
// thread; gives the X that addresses registers. Selecting a flag and a thread takes two cycles.
//
// Requires   flag_i is Z, C, B or X == 0 of each thread, as eccel_thread_flags selects it for a br.
//            facts_i and lead_i are stable from operands on.
// Guarantees leader_o.x and leader_o.idle are the leader's x_i and idle_i of the previous cycle.
//            leader_o.jump is 1 if the instruction is a br whose condition holds, inverted as it
//            says. While the instruction waits for idle_i, it follows flag_i a cycle late.
//            leader_o.late is 1 in operands of a br and in the cycle after it.
// Latency    4 cycles from decode to leader_o.jump

module eccel_branch_lockstep
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
#(
    parameter int Threads = 4,
    localparam int ThreadBits = Threads > 1 ? $clog2(Threads) : 1
) (
    input logic clk_i,

    input step_t                   step_i,
    input facts_t                  facts_i,
    input logic   [ThreadBits-1:0] lead_i,
    input logic   [           3:0] x_i    [Threads],
    input logic                    flag_i [Threads],
    input logic                    idle_i,

    output leader_t leader_o
);

  logic fact, fact_q, flag_q, idle_q, operands_q, on_flags, invert;
  logic [3:0] x_q;
  logic [1:0] jump_q;  // for either value of the flag

  assign on_flags = step_i.on_unit || (step_i.instr[F_COND_LSB+:4] inside {COND_B, COND_XZ});
  assign invert   = step_i.instr[F_INVERT_LSB];

  always_comb begin
    unique case (step_i.instr[F_COND_LSB+:4])
      COND_KEY:    fact = facts_i.curve.key;
      COND_MONT:   fact = facts_i.curve.montgomery;
      COND_AM3:    fact = facts_i.curve.am3;
      COND_LOADED: fact = facts_i.curve.loaded;
      COND_F0:     fact = facts_i.flags[0];
      COND_F1:     fact = facts_i.flags[1];
      COND_F2:     fact = facts_i.flags[2];
      COND_F3:     fact = facts_i.flags[3];
      COND_PERMIT: fact = facts_i.curve.permit;
      COND_FREE:   fact = facts_i.unit.free;
      COND_COMB:   fact = facts_i.curve.comb;
      default:     fact = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    flag_q     <= flag_i[lead_i];
    fact_q     <= fact;
    x_q        <= x_i[lead_i];
    idle_q     <= idle_i;
    operands_q <= step_i.phase.operands;
    jump_q[0]  <= step_i.is.br && (on_flags ? 1'b0 : fact_q) != invert;
    jump_q[1]  <= step_i.is.br && (on_flags ? 1'b1 : fact_q) != invert;
  end

  assign leader_o = '{
          jump: jump_q[flag_q],
          late: step_i.is.br && (step_i.phase.operands || operands_q),
          idle: idle_q,
          x: x_q
      };

endmodule
