// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Array of lanes that multiply words: the core of the units broadcast and comba. p = a * b.
//
// Parameters Bits; Width: bits of a word, at most 36; Lanes: words of a that are multiplied at a
//            time, at most Words = ceil(Bits / Width). Pipelined: registers in the lanes and in
//            front of them.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    eccel_mul_pkg::array_latency
// Interval   eccel_mul_pkg::array_interval: Passes * Words, with Passes = ceil(Words / Lanes)
// After      Gueneysu, Paar 2008 (column interleaving), as in rtl/gfp_turbo/eccel_comba_array.sv.
//
// A pass multiplies the next Lanes words of a by all words of b, one word of b in each cycle. Lane
// i adds its product to the sum of lane i + 1, so that lane 0 holds the next column of the product
// in each cycle, and the low words leave it one by one. After the last word of b the lanes hold the
// high columns. They are copied, and leave through an adder of their own while the next pass runs.
// Passes after the first add the words of the pass before, which are those from word `Lanes` on.
//
// Times: a step takes word t of b in cycle T = 1 + Period * pass + t. Lane sums of the step are
// computed in cycle T + Sum, their upper parts one cycle later.

module eccel_mul_array #(
    parameter int Bits      = 256,
    parameter int Width     = 32,
    parameter int Lanes     = 8,
    parameter bit Pipelined = 1'b1
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              valid_i,
    output logic              ready_o,
    input  logic [  Bits-1:0] a_i,
    input  logic [  Bits-1:0] b_i,
    output logic              valid_o,
    output logic [2*Bits-1:0] p_o,
    output logic [      15:0] latency_o,
    output logic [      15:0] interval_o
);

  localparam int Words = (Bits + Width - 1) / Width;
  localparam int Passes = (Words + Lanes - 1) / Lanes;
  localparam int Period = eccel_mul_pkg::array_period(Bits, Width, Lanes);
  localparam int Interval = eccel_mul_pkg::array_interval(Bits, Width, Lanes);
  localparam int Latency = eccel_mul_pkg::array_latency(Bits, Width, Lanes, Pipelined);

  localparam int In = Pipelined ? 2 : 1;  // an operand is at the lanes
  localparam int Sum = In + eccel_mul_pkg::word_latency(Width, Pipelined);
  localparam int Extra = Pipelined || Passes > 1 ? 1 : 0;
  localparam int Late = Passes > 1 ? 1 : 0;
  localparam int HighBits = Width + $clog2(Lanes);
  localparam int Kept = (Passes - 1) * Lanes + Words;  // words of the product that leave lane 0

  typedef logic [Width-1:0] word_t;
  typedef logic [HighBits-1:0] high_t;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(Interval);

  // ------------------------------------------------------------------ control

  logic start, first, last;
  logic [Period-1:0] step_q;  // one-hot
  logic [Passes-1:0] pass_q;  // one-hot
  logic [Sum+2:1] begin_q;  // step 0, as many cycles ago
  logic [Sum+2:1] end_q;  // the last step of a pass, as many cycles ago

  eccel_mul_pace #(
      .Interval(Interval),
      .Latency (Latency)
  ) u_pace (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o,
      .start_o(start),
      .first_o(first),
      .last_o (last),
      .valid_o
  );

  if (Passes == 1) begin : gen_one_pass
    assign pass_q    = 1'b1;
    assign step_q[0] = first;
  end else begin : gen_passes
    logic step_first_q;
    assign step_q[0] = step_first_q;
    always_ff @(posedge clk_i) begin
      step_first_q <= start || (step_q[Period-1] && !pass_q[Passes-1]);
      if (start) pass_q <= Passes'(1);
      else if (step_q[Period-1]) pass_q <= pass_q << 1;
      if (rst_i) step_first_q <= 1'b0;
    end
  end
  for (genvar i = 1; i < Period; i++) begin : gen_step
    always_ff @(posedge clk_i) step_q[i] <= step_q[i-1] && !rst_i;
  end
  always_ff @(posedge clk_i) begin
    begin_q <= {begin_q[Sum+1:1], step_q[0]};
    end_q   <= {end_q[Sum+1:1], step_q[Words-1]};
  end

  // ------------------------------------------------------------------ operands

  logic [Passes*Lanes*Width-1:0] a_q;
  logic [Words*Width-1:0] b_q;
  word_t b_word, b_lane;
  word_t a_lane[Lanes];

  always_ff @(posedge clk_i) begin
    if (start) begin
      a_q <= (Passes * Lanes * Width)'(a_i);
      b_q <= (Words * Width)'(b_i);
    end
  end

  eccel_mul_select #(
      .Width(Width),
      .Words(Words)
  ) u_b (
      .clk_i,
      .sel_i  (step_q[Words-1:0]),
      .words_i(b_q),
      .word_o (b_word)
  );
  if (Pipelined) begin : gen_b_reg
    always_ff @(posedge clk_i) b_lane <= b_word;
  end else begin : gen_b
    assign b_lane = b_word;
  end

  // The words of a are loaded into the registers of the blocks at the first step of each pass.
  for (genvar i = 0; i < Lanes; i++) begin : gen_a
    if (Passes == 1 && Interval > In) begin : gen_held
      assign a_lane[i] = a_q[Width*i+:Width];
    end else begin : gen_selected
      logic [Passes*Width-1:0] words;
      word_t word;
      for (genvar j = 0; j < Passes; j++) begin : gen_word
        assign words[Width*j+:Width] = a_q[Width*(Lanes*j+i)+:Width];
      end
      eccel_mul_select #(
          .Width(Width),
          .Words(Passes)
      ) u_a (
          .clk_i,
          .sel_i  (pass_q & {Passes{step_q[0]}}),
          .words_i(words),
          .word_o (word)
      );
      if (Pipelined) begin : gen_reg
        always_ff @(posedge clk_i) a_lane[i] <= word;
      end else begin : gen_no_reg
        assign a_lane[i] = word;
      end
    end
  end

  // ------------------------------------------------------------------ lanes

  word_t low_q[Lanes+1], held_low_q[Lanes];
  high_t high_q[Lanes+1], held_high_q[Lanes];

  assign low_q[Lanes]  = '0;
  assign high_q[Lanes] = '0;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    // The last word of a may be shorter. Lanes above have added fewer products.
    localparam int Left = Bits - Width * i;
    localparam int WidthA = Passes == 1 && Left < Width ? Left : Width;
    localparam int LaneBits = Width + $clog2(Lanes - i);
    logic [LaneBits-1:0] high, held_high;

    eccel_mul_lane #(
        .Width    (Width),
        .WidthA   (WidthA),
        .HighBits (LaneBits),
        .First    (i + 1 == Lanes),
        .Pipelined(Pipelined)
    ) u_lane (
        .clk_i,
        .a_en_i      (begin_q[In]),
        .a_i         (a_lane[i][WidthA-1:0]),
        .b_i         (b_lane),
        .above_low_i (low_q[i+1]),
        .above_high_i(high_q[i+1][LaneBits-1:0]),
        // No lane adds lane 0.
        .clear_low_i (begin_q[Sum-1] && i > 0),
        .clear_high_i(begin_q[Sum] && i > 0),
        .keep_low_i  (end_q[Sum]),
        .keep_high_i (end_q[Sum+1]),
        .low_o       (low_q[i]),
        .high_o      (high),
        .kept_low_o  (held_low_q[i]),
        .kept_high_o (held_high)
    );
    assign high_q[i]      = high_t'(high);
    assign held_high_q[i] = high_t'(held_high);
  end

  // ------------------------------------------------------------------ product

  logic [(Kept+Lanes)*Width-1:0] p;
  logic keep, again;

  if (Passes == 1) begin : gen_keep_all
    assign keep  = 1'b1;
    assign again = 1'b0;
  end else begin : gen_keep
    // The words below word `Lanes` of a pass are final, in the last pass all.
    logic [Sum+3+Extra:1] keep_q;
    logic [Sum:1] begin_first_q;  // step 0 of the first pass, as many cycles ago

    assign keep = keep_q[Sum+3+Extra];
    always_ff @(posedge clk_i) begin
      keep_q[Sum+3+Extra:2] <= keep_q[Sum+2+Extra:1];
      if (step_q[0]) keep_q[1] <= 1'b1;
      else if (step_q[Lanes] && !pass_q[Passes-1]) keep_q[1] <= 1'b0;
      begin_first_q <= {begin_first_q[Sum-1:1], step_q[0] && pass_q[0]};
      if (begin_q[Sum]) again <= !begin_first_q[Sum];
    end
  end

  eccel_mul_array_words #(
      .Width   (Width),
      .HighBits(HighBits),
      .Lanes   (Lanes),
      .Kept    (Kept),
      .Delay   (Passes == 1 ? -1 : Period - Lanes - 4),
      .Extra   (Extra)
  ) u_words (
      .clk_i,
      .begin_i    (begin_q[Sum+1+Late]),
      .end_i      (end_q[Sum+2]),
      .keep_i     (keep),
      .again_i    (again),
      .low_i      (low_q[0]),
      .high_i     (high_q[0]),
      .held_low_i (held_low_q),
      .held_high_i(held_high_q),
      .p_o        (p)
  );

  assign p_o = p[2*Bits-1:0];

endmodule
