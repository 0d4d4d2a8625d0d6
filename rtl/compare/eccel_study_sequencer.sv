// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Instructions of the study core, one in each cycle, from a ROM in logic.
//
// Parameters Number: of the program in eccel_study_programs_pkg.
// Requires   valid_i with all operands. nonzero_i and none_i describe the current digit.
// Guarantees word_o is the instruction of this cycle, with we = 0 if it waits for valid_i. load_o:
//            the operands are taken. next_o: the next digit becomes the current one. loop_o: the
//            program is in a block that belongs to a digit.
// Latency    An instruction follows in the cycle after the last one of the instruction before, also
//            after a jump.

module eccel_study_sequencer
  import eccel_study_pkg::*;
  import eccel_study_programs_pkg::*;
#(
    parameter int Number = 0
) (
    input logic clk_i,
    input logic rst_i,

    input  logic  valid_i,
    input  logic  nonzero_i,
    input  logic  none_i,
    output word_t word_o,
    output logic  load_o,
    output logic  next_o,
    output logic  loop_o
);

  localparam about_t About = about(Number);
  localparam logic [MaxWords*WordBits-1:0] Image = image(Number);
  localparam int AddressBits = $clog2(About.words);

  typedef logic [AddressBits-1:0] address_t;

  word_t word_q;
  logic [WordBits-1:0] fetched;
  address_t fetch, digit, next_q;
  logic idle, scan, at_end, done, jump, loop_q;

  assign idle   = word_q.control == ControlIdle;
  assign scan   = word_q.control == ControlScan;
  assign at_end = word_q.more == '0;
  assign done   = at_end && (!idle || valid_i) && (!scan || nonzero_i || none_i);

  assign load_o = idle && valid_i;
  assign loop_o = loop_q;

  always_comb begin
    word_o = word_q;
    word_o.we = word_q.we && (!idle || valid_i);
  end

  // ---- where the next instruction is

  assign jump = scan || word_q.control == ControlStep || word_q.control == ControlSkip && !nonzero_i;
  assign digit = none_i ? address_t'(About.finish) : address_t'(About.steps);
  assign next_o = at_end && jump && !none_i;

  always_comb begin
    fetch = next_q;
    if (jump) fetch = digit;
    if (word_q.control == ControlDone) fetch = '0;
  end

  // The ROM as a sum of products: every tool makes logic of it.
  always_comb begin
    fetched = '0;
    for (int i = 0; i < About.words; i++) begin
      if (fetch == address_t'(i)) fetched |= Image[i*WordBits+:WordBits];
    end
  end

  always_ff @(posedge clk_i) begin
    if (done) begin
      word_q <= word_t'(fetched);
      next_q <= fetch + 1'b1;
      if (jump) loop_q <= !none_i;
    end else if (!at_end) begin
      word_q.more <= word_q.more - 1'b1;
    end
    if (rst_i) begin
      word_q <= word_t'(Image[0+:WordBits]);
      next_q <= address_t'(1);
      loop_q <= 1'b0;
    end
  end

endmodule
