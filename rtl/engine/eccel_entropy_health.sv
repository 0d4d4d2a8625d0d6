// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Health tests of an entropy source: repetition count and adaptive proportion.
//
// Parameters StartupWords (0, or 2 to Window): so many words are tested after a reset, and not
//            given on.
// Requires   The source has the min-entropy of eccel_health_pkg. A sample is the bits of a word
//            that the package names; the adaptive proportion test looks at bit 0 of the sample.
// Guarantees ent_o has the words of ent_i behind the start-up words. ent_o.failed is 1 from a
//            failure until the next reset, and meanwhile no word is taken. A failure is
//            RepetitionCutoff equal samples in succession; ProportionCutoff samples of a window of
//            Window samples whose bit 0 is that of its first one; or ent_i.failed.
// Latency    A word passes in the clock in which it comes. At most four more words pass after that
//            of a failure, and at most three more are dropped after the start-up words.
// Source     NIST SP 800-90B, sections 4.3 and 4.4. A counter is a maximal-length shift register.

module eccel_entropy_health
  import eccel_health_pkg::*;
  import eccel_packet_pkg::*;
#(
    parameter int StartupWords = Window
) (
    input logic clk_i,
    input logic rst_ni,

    input  entropy_t ent_i,
    output logic     ent_ready_o,
    output entropy_t ent_o,
    input  logic     ent_ready_i
);

  typedef logic [$clog2(Window)-1:0] count_t;  // Window - 1 values, none of them 0

  function automatic count_t next(count_t count);
    return {count[$bits(count_t)-2:0], count[9] ^ count[6]};
  endfunction

  function automatic count_t after(int steps);
    count_t count = 1;
    for (int i = 0; i < steps; i++) count = next(count);
    return count;
  endfunction

  localparam bit Startup = StartupWords != 0;
  // The first sample of a window does not count.
  localparam count_t WindowEnd = after(Window - 2);
  localparam count_t StartupEnd = after(Startup ? StartupWords - 2 : Window - 2);
  localparam count_t TooMany = after(ProportionCutoff - 1);

  logic startup_q, pass_q, failed_q, fresh_q, first_q, new_q, compared_q, same_q;
  logic taken, begins, differs, ends, started_q;
  logic [SampleBits-1:0] sample_q, last_q;
  logic [RepetitionCutoff-2:0] repeats_q;
  count_t words_q, equal_q;

  assign ent_o       = '{failed: failed_q, valid: ent_i.valid && pass_q, data: ent_i.data};
  assign ent_ready_o = startup_q || pass_q && ent_ready_i;
  assign taken       = ent_i.valid && ent_ready_o;

  // new_q: sample_q is new; fresh_q: it is the first one of a window. A reset begins a window.
  // compared_q: a clock later, same_q says whether it equals the sample before it.
  assign begins  = !rst_ni || new_q && fresh_q;
  assign differs = !rst_ni || compared_q && !same_q;
  assign ends    = words_q == WindowEnd;

  always_ff @(posedge clk_i) begin
    new_q <= taken;
    if (taken) for (int i = 0; i < SampleBits; i++) sample_q[i] <= ent_i.data[SampleStep*i];
    if (new_q) last_q <= sample_q;
    compared_q <= new_q && rst_ni;
    same_q     <= sample_q == last_q;

    if (differs) repeats_q <= '0;
    else if (compared_q) repeats_q <= {repeats_q[RepetitionCutoff-3:0], 1'b1};

    if (begins) first_q <= sample_q[0];
    if (begins) equal_q <= 1;
    else if (new_q && sample_q[0] == first_q) equal_q <= next(equal_q);

    if (!rst_ni) words_q <= 1;
    else if (new_q && !fresh_q) words_q <= next(words_q);
    if (!rst_ni) fresh_q <= 1'b1;
    else if (new_q) fresh_q <= ends;

    started_q <= new_q && words_q == StartupEnd && !fresh_q;
    // The start-up ends a clock late, so that a failure at its last word is known before.
    if (!rst_ni) startup_q <= Startup;
    else startup_q <= startup_q && !(StartupWords == Window ? compared_q && fresh_q : started_q) && !failed_q;
    if (!rst_ni) pass_q <= 1'b0;
    else pass_q <= !startup_q && !failed_q;
    if (!rst_ni) failed_q <= 1'b0;
    else if (repeats_q[RepetitionCutoff-2] || equal_q == TooMany || ent_i.failed) failed_q <= 1'b1;
  end

endmodule
