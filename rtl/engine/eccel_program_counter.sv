// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Program counter and stack of return addresses.
//
// Parameters Guarded: return addresses have parity bits, and the pointer to them a copy.
// Requires   halt_i, decode_i, operands_i and execute_i say in which state the sequencer is.
//            instr_i and is_i hold the instruction from operands_i on; in halt_i it is no ret.
//            entry_i is valid in the last two cycles of halt_i, wipe_i in the last one. hold_i: the
//            instruction stays in execute_i for another cycle. jump_i is valid in the last cycle of
//            execute_i. starving_i comes in the cycle before starved_i. At most STACK calls are
//            nested since the job, the handler or the trap started.
// Guarantees After decode_i, pc_o is the address of the next instruction, which is on its way
//            through the ROM. A job starts at entry_i. A failed chk continues at TRAP_LENGTH, a
//            starved rnd at TRAP_ENTROPY, or at TRAP_HEALTH if the source has failed. There, calls
//            overwrite the return addresses from before: the pointer wraps around. The zeroise
//            handler (wipe_i, abort_i) starts at address 0 with an empty stack. With Guarded, bad_o
//            comes up to three cycles after a return address, or the pointer, was found changed.
// Latency    1: pc_o is the new address in the cycle after the last one of halt_i, decode_i or
//            execute_i, and after starved_i.

module eccel_program_counter
  import eccel_engine_pkg::*;
  import eccel_isa_pkg::*;
#(
    parameter int PcBits = 11,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,

    input logic halt_i,
    input logic decode_i,
    input logic operands_i,
    input logic execute_i,

    input logic [WORD_BITS-1:0] instr_i,
    input control_t             is_i,
    input logic                 hold_i,
    input logic                 jump_i,
    input logic                 starving_i,
    input logic                 starved_i,
    input logic                 failed_i,    // the entropy source
    input logic                 wipe_i,      // in halt_i
    input logic                 abort_i,     // in decode_i
    input logic [          5:0] entry_i,

    output logic [PcBits-1:0] pc_o,
    output logic              bad_o
);

  logic [PcBits-1:0] pc_q, stack_q[STACK], other_q, next;
  logic [1:0] sp_q;
  logic [5:0] other;
  logic target_q, unused_carry;

  assign pc_o = pc_q;
  assign other = halt_i ? entry_i : is_i.chk ? TRAP_LENGTH[5:0] :
                 failed_i ? TRAP_HEALTH[5:0] : TRAP_ENTROPY[5:0];

  // In decode_i the address only counts: target_q and other_q are 0.
  always_ff @(posedge clk_i) begin
    target_q <= is_i.target && (operands_i || execute_i && hold_i);
    other_q  <= is_i.ret ? stack_q[sp_q] : PcBits'(other);
    if (!(operands_i && (is_i.ret || is_i.chk) || halt_i || starving_i)) other_q <= '0;
  end

  eccel_add #(
      .Width(PcBits)
  ) u_add (
      .a_i  ((instr_i[PcBits-1:0] & {PcBits{target_q}}) | other_q),
      .b_i  (pc_q),
      .add_i(decode_i),
      .sub_i(1'b0),
      .c_i  (decode_i),
      .sum_o({unused_carry, next})
  );

  always_ff @(posedge clk_i) begin
    if (halt_i || decode_i || starved_i || execute_i && jump_i && !hold_i) pc_q <= next;
    if (halt_i && wipe_i || decode_i && abort_i) pc_q <= '0;

    if (execute_i) begin
      if (is_i.call) stack_q[sp_q+2'd1] <= pc_q;
      sp_q <= sp_q + 2'(is_i.call) - 2'(is_i.ret);
    end
    if (decode_i && abort_i || halt_i) sp_q <= '0;
  end

  if (Guarded) begin : gen_guard
    logic parity_q[STACK];
    logic [1:0] copy_q, top_q;
    logic [PcBits-1:0] pushed_q, popped_q;
    logic push_q, pop_q, stored_q;
    always_ff @(posedge clk_i) begin
      push_q   <= execute_i && is_i.call;
      top_q    <= sp_q + 2'd1;
      pushed_q <= pc_q;
      if (push_q) parity_q[top_q] <= ^pushed_q;
      if (execute_i) copy_q <= copy_q + 2'(is_i.call) - 2'(is_i.ret);
      if (decode_i && abort_i || halt_i) copy_q <= '0;
      pop_q    <= operands_i && is_i.ret;
      popped_q <= stack_q[sp_q];
      stored_q <= parity_q[sp_q];
      bad_o    <= pop_q && stored_q != ^popped_q || copy_q != sp_q;
    end
  end else begin : gen_unguarded
    assign bad_o = 1'b0;
  end

endmodule
