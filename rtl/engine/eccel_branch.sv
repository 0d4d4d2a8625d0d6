// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Decides whether a br jumps, on a machine with one thread.
//
// Requires   b_i, x_i and facts_i are stable from decode on. flag_i is Z or C, as the instruction
//            says, when jump_o is used.
// Guarantees jump_o is 1 if the instruction is a br whose condition holds, inverted as it says. It
//            is valid two cycles after decode. For a br on Z or C it stays valid and follows
//            flag_i.
// Latency    2 cycles from decode to jump_o

module eccel_branch
  import eccel_isa_pkg::*;
  import eccel_engine_pkg::*;
(
    input logic clk_i,

    input step_t        step_i,
    input facts_t       facts_i,
    input logic         b_i,
    input logic   [3:0] x_i,
    input logic         flag_i,

    output logic jump_o
);

  logic [3:0] code, rare;
  logic fact_q, flag_q, rare_q, x_zero_q, settled, invert;
  logic [1:0] jump_q;  // for either value of the flag

  assign code   = step_i.instr[F_COND_LSB+:4];
  assign invert = step_i.instr[F_INVERT_LSB];
  // Codes 15 to 12.
  assign rare   = {facts_i.unit.known, facts_i.curve.permit, facts_i.unit.free, facts_i.flags[4]};

  // The values of codes 4 to 15 are stable before the instruction: the fetched word selects them.
  always_ff @(posedge clk_i) begin
    x_zero_q <= x_i == 0;
    if (step_i.phase.decode) begin
      flag_q <= facts_i.flags[{1'b0, step_i.fetched[F_COND_LSB+:2]}];
      rare_q <= rare[step_i.fetched[F_COND_LSB+:2]];
      unique case (step_i.fetched[F_COND_LSB+:2])
        COND_KEY[1:0]:  fact_q <= facts_i.curve.key;
        COND_MONT[1:0]: fact_q <= facts_i.curve.montgomery;
        COND_AM3[1:0]:  fact_q <= facts_i.curve.am3;
        default:        fact_q <= facts_i.curve.loaded;
      endcase
    end
  end

  always_comb begin
    unique case (code[3:2])
      COND_B[3:2]:   settled = code[0] ? x_zero_q : b_i;  // COND_B, COND_XZ; not Z and C
      COND_KEY[3:2]: settled = fact_q;
      COND_F0[3:2]:  settled = flag_q;
      default:       settled = rare_q;
    endcase
  end

  always_ff @(posedge clk_i) begin
    jump_q[0] <= step_i.is.br && (step_i.on_unit ? 1'b0 : settled) != invert;
    jump_q[1] <= step_i.is.br && (step_i.on_unit ? 1'b1 : settled) != invert;
  end

  assign jump_o = jump_q[flag_i];

endmodule
