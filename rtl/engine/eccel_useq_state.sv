// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// State machine of the sequencer: in which phase of which instruction it is.
//
// Parameters Lockstep: 1 if a mailbox answers two cycles later; Guarded: the state is checked.
// Requires   start_i and wipe_i keep the contract of eccel_job_port. is_i, field_i and indexed_i
//            hold the decoded instruction from operands on. hold_i and jump_i are valid in execute.
//            busy_i is valid from the first cycle of work on.
// Guarantees A job runs from halt to halt. An instruction passes decode, operands and execute. It
//            then passes answer if it reads bits, or work if the mover or the table's unit works
//            for it. Execute lasts until fu_ready_i accepts a field operation, and while hold_i for
//            another instruction. Work lasts while busy_i; a starved or aborted rnd ends it.
//            wipe_i sets abort_o until the handler begins. An abort takes effect in decode: the
//            handler follows instead of the instruction. aborting_o is 1 while the handler runs.
//            break_i stops whatever runs: halt follows, and with wipe_i the handler. With Guarded,
//            bad_o comes two cycles after a state that is none.
// Latency    fu_valid_o comes in the first cycle of execute, or in the second if the operation is
//            indexed.

module eccel_useq_state
  import eccel_engine_pkg::*;
#(
    parameter bit Lockstep = 1'b0,
    parameter bit Guarded = 1'b1
) (
    input logic clk_i,
    input logic rst_ni,

    input logic start_i,
    input logic wipe_i,
    input logic break_i,

    // instruction
    input control_t is_i,
    input logic     field_i,
    input logic     indexed_i,
    input logic     hold_i,
    input logic     jump_i,
    input logic     busy_i,     // the mover or the table's unit works
    input logic     starved_i,

    output phase_t phase_o,
    output logic   abort_o,
    output logic   aborting_o,
    output logic   fetches_o,   // the next instruction is not the one that was fetched already
    output logic   bad_o,

    // field unit
    output logic fu_valid_o,
    input  logic fu_ready_i
);

  typedef enum logic [12:0] {  // one-hot
    Halt     = 13'h0001,
    Fetch0   = 13'h0002,
    Fetch1   = 13'h0004,
    Decode   = 13'h0008,
    Operands = 13'h0010,
    Execute  = 13'h0020,
    Read0    = 13'h0040,
    Read1    = 13'h0080,
    Read2    = 13'h0100,
    Read3    = 13'h0200,
    Read4    = 13'h0400,
    Read5    = 13'h0800,
    Work     = 13'h1000
  } state_e;

  state_e state_q;
  logic fresh_q, plain_q, abort_q, aborting_q;

  always_ff @(posedge clk_i) begin
    plain_q <= !(is_i.load || is_i.store || is_i.rnd || is_i.fill || is_i.par || is_i.bits || is_i.done ||
                 is_i.scan || is_i.caught);
    abort_q <= wipe_i && !aborting_q;

    unique case (state_q)
      Halt:     if (start_i || wipe_i) state_q <= Fetch0;
      Fetch0:   state_q <= Fetch1;
      Fetch1:   state_q <= Decode;
      Decode:   state_q <= abort_q ? Fetch0 : Operands;
      Operands: state_q <= Execute;
      Execute: begin
        if (field_i) begin
          if (fu_ready_i && !fresh_q) state_q <= Decode;
        end else if (!hold_i) begin
          if (plain_q) state_q <= jump_i ? Fetch0 : Decode;
          else if (is_i.bits) state_q <= Read0;
          else state_q <= is_i.done ? Halt : Work;
        end
      end
      Read0:    state_q <= Lockstep ? Read1 : Read2;
      Read1:    state_q <= Read2;
      Read2:    state_q <= Lockstep ? Read3 : Read4;
      Read3:    state_q <= Read4;
      Read4:    state_q <= Read5;
      Read5:    state_q <= Decode;
      Work: begin
        if (starved_i) state_q <= Fetch0;
        else if (!busy_i || is_i.rnd && abort_q) state_q <= Decode;
      end
      default:  state_q <= Halt;
    endcase

    if (state_q == Decode && abort_q) aborting_q <= 1'b1;
    if (state_q == Halt) aborting_q <= wipe_i;
    if (!rst_ni || break_i) begin
      state_q    <= Halt;
      aborting_q <= 1'b0;
    end
  end

  // The registers of an operation are stable a cycle before it is valid, those of an indexed one in
  // Execute.
  always_ff @(posedge clk_i) begin
    fresh_q    <= state_q == Operands && indexed_i;
    fu_valid_o <= !break_i && field_i &&
                  (state_q == Operands && !indexed_i || state_q == Execute && (fresh_q || !fu_ready_i));
  end

  // Of a one-hot state, a changed bit changes the parity. It is written so that synthesis still
  // sees a state machine.
  if (Guarded) begin : gen_guard
    logic odd_q;
    always_ff @(posedge clk_i) begin
      odd_q <= ^{state_q == Halt, state_q == Fetch0, state_q == Fetch1, state_q == Decode, state_q == Operands,
                 state_q == Execute, state_q == Read0, state_q == Read1, state_q == Read2, state_q == Read3,
                 state_q == Read4, state_q == Read5, state_q == Work} || !rst_ni;
      bad_o <= !odd_q && rst_ni;
    end
  end else begin : gen_unguarded
    assign bad_o = 1'b0;
  end

  assign fetches_o = state_q == Fetch1;
  assign phase_o = '{
          halt: state_q == Halt,
          decode: state_q == Decode,
          operands: state_q == Operands,
          execute: state_q == Execute,
          answer: state_q == Read4,
          work: state_q == Work
      };
  assign abort_o = abort_q;
  assign aborting_o = aborting_q;

endmodule
