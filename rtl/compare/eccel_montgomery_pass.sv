// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The course of a Montgomery product, and the bits of its first factor.
//
// Parameters See eccel_montgomery_array. Unroll divides Segment.
// Requires   start_i comes while nothing runs, or with last_o.
// Guarantees From the cycle after start_i: one cycle in which the first word of the factor is
//            taken, then `iterations` cycles with run_o, then `segments` cycles with stream_o, the
//            last one with last_o. In a cycle with take_o, word_i is the next word of the factor;
//            there are `segments` such cycles. head_o comes with the first run_o.
// Latency    pass_cycles of eccel_montgomery_pkg.

module eccel_montgomery_pass
  import eccel_montgomery_pkg::*;
#(
    parameter int Bits    = 1024,
    parameter int Segment = 65,
    parameter int Unroll  = 1
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               start_i,
    input  logic [Segment-1:0] word_i,
    output logic               take_o,
    output logic               run_o,
    output logic               head_o,
    output logic [ Unroll-1:0] bits_o,
    output logic               stream_o,
    output logic               last_o
);

  localparam int Segments = segments(Bits, Segment);
  localparam int WordSteps = Segment / Unroll;
  // Steps that are left of the last word when the last bit is taken.
  localparam int Left = Segments * WordSteps - iterations(Bits, Unroll);

  if (Segment % Unroll != 0) begin : gen_check_unroll
    $error("eccel_montgomery_pass: Unroll must divide Segment");
  end

  typedef logic [$clog2(Segments + 1)-1:0] words_t;
  typedef logic [$clog2(WordSteps + 1)-1:0] steps_t;

  logic load_q, run_q, stream_q, head_q;
  logic last_word, word_ends, run_ends;
  words_t words_q;  // words that are left
  steps_t steps_q;  // steps that are left of this word
  logic [Segment-1:0] factor_q;

  assign last_word = words_q == '0;
  assign word_ends = steps_q == '0;
  assign run_ends  = last_word && steps_q == steps_t'(Left);
  assign take_o    = load_q || (run_q && word_ends && !last_word);
  assign run_o     = run_q;
  assign head_o    = head_q;
  assign bits_o    = factor_q[Unroll-1:0];
  assign stream_o  = stream_q;
  assign last_o    = stream_q && last_word;

  always_ff @(posedge clk_i) begin
    if (take_o) factor_q <= word_i;
    else factor_q <= factor_q >> Unroll;
    head_q <= load_q;
    if (take_o) steps_q <= steps_t'(WordSteps - 1);
    else steps_q <= steps_q - steps_t'(1);
    if (load_q || (run_q && run_ends)) words_q <= words_t'(Segments - 1);
    else if (take_o || stream_q) words_q <= words_q - words_t'(1);
    if (rst_i) begin
      load_q   <= 1'b0;
      run_q    <= 1'b0;
      stream_q <= 1'b0;
    end else begin
      load_q   <= start_i;
      run_q    <= load_q || (run_q && !run_ends);
      stream_q <= (run_q && run_ends) || (stream_q && !last_word);
    end
  end

endmodule
