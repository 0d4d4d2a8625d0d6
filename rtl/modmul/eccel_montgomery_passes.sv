// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The three products of a Montgomery product, from one multiplier in three passes.
//
// Parameters, Requires: see eccel_montgomery.
// Guarantees t = a_i * b_i with t_valid_o, MulLatency + 1 cycles after the operands were taken. The
//            upper half of u = q * m, q = t m' mod R, with u_valid_o, 2 * pass_gap cycles later.
//            If no product is on the way, ready_o is 1 within one cycle.
// Interval   eccel_modmul_pkg::pass_period(MulLatency, MulInterval)
//
// A counter gives every pass its cycle in the period: a product starts in cycle 0, and its passes
// are pass_gap cycles apart. If products overlap, the passes of other products lie between them,
// and pass_gap is such that they never ask for the multiplier in the same cycle. So there is no
// choice to be made. The counter waits in cycle 0 while no product is on the way.

module eccel_montgomery_passes #(
    parameter int Kind      = eccel_mul_pkg::ShiftAdd,
    parameter int Bits      = 256,
    parameter int Levels    = 0,
    parameter int Word      = 16,
    parameter int Lanes     = 1,
    parameter bit Pipelined = 1'b0
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            valid_i,
    output logic            ready_o,
    input  logic [Bits-1:0] a_i,
    input  logic [Bits-1:0] b_i,
    input  logic [Bits-1:0] modulus_i,
    input  logic [Bits-1:0] inverse_i,
    output logic            t_valid_o,
    output logic [Bits-1:0] t_low_o,
    output logic [Bits-1:0] t_high_o,
    output logic            u_valid_o,
    output logic [Bits-1:0] u_high_o
);

  localparam int MulLatency = eccel_mul_pkg::latency(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int MulInterval = eccel_mul_pkg::interval(Kind, Bits, Levels, Word, Lanes, Pipelined);
  localparam int Gap = eccel_modmul_pkg::pass_gap(MulLatency, MulInterval);
  localparam int Period = eccel_modmul_pkg::pass_period(MulLatency, MulInterval);
  localparam bit Overlap = eccel_modmul_pkg::passes_overlap(MulLatency, MulInterval);
  localparam int Back = MulLatency + 1;  // cycles from a pass to its product
  localparam bit Held = Gap > Back;  // a low half waits for its next pass

  typedef logic [Bits-1:0] value_t;
  typedef logic [$clog2(Period)-1:0] phase_t;

  phase_t phase_q;
  logic take, pause, request_q, mul_ready, mul_valid, t_valid, q_valid, u_valid;
  logic second, third;  // the cycles of the passes
  logic [15:0] unused_latency, unused_interval;  // the package has them
  logic unused_ready;
  logic t_there, q_there;
  value_t a_q, b_q, low, high, t_held, q_held;

  // ------------------------------------------------------------------ schedule

  assign ready_o = phase_q == '0;
  assign take    = valid_i && ready_o;
  assign second  = phase_q == phase_t'(Gap % Period);
  assign third   = phase_q == phase_t'(2 * Gap % Period);
  // Which pass a product belongs to.
  assign t_valid = mul_valid && phase_q == phase_t'(Back % Period);
  assign q_valid = mul_valid && phase_q == phase_t'((Gap + Back) % Period);
  assign u_valid = mul_valid && phase_q == phase_t'((2 * Gap + Back) % Period);

  if (Overlap) begin : gen_overlap
    localparam int Most = (2 * Gap + Back) / Period + 1;  // products on the way
    logic [$clog2(Most+1)-1:0] count_q;

    assign pause = count_q == '0;

    always_ff @(posedge clk_i) begin
      if (take && !u_valid) count_q <= count_q + 1'b1;
      else if (u_valid && !take) count_q <= count_q - 1'b1;
      if (rst_i) count_q <= '0;
    end
  end else begin : gen_one
    assign pause = phase_q == '0;
  end

  always_ff @(posedge clk_i) begin
    if (pause && !take || phase_q == phase_t'(Period - 1)) phase_q <= '0;
    else phase_q <= phase_q + 1'b1;
    if (rst_i) phase_q <= '0;
  end

  // ------------------------------------------------------------------ operands

  if (Held) begin : gen_held
    logic t_there_q, q_there_q;
    value_t t_q, q_q;

    always_ff @(posedge clk_i) begin
      if (t_valid) t_q <= low;
      if (q_valid) q_q <= low;
      t_there_q <= t_valid || t_there_q && !second;
      q_there_q <= q_valid || q_there_q && !third;
      if (rst_i) begin
        t_there_q <= 1'b0;
        q_there_q <= 1'b0;
      end
    end

    assign t_held  = t_q;
    assign q_held  = q_q;
    assign t_there = t_there_q;
    assign q_there = q_there_q;
  end else begin : gen_direct
    assign t_held  = low;
    assign q_held  = low;
    assign t_there = mul_valid;
    assign q_there = mul_valid;
  end

  always_ff @(posedge clk_i) begin
    request_q <= take || second && t_there || third && q_there;
    if (second) begin
      a_q <= t_held;
      b_q <= inverse_i;
    end else if (third) begin
      a_q <= q_held;
      b_q <= modulus_i;
    end else if (ready_o) begin
      a_q <= a_i;
      b_q <= b_i;
    end
    if (rst_i) request_q <= 1'b0;
  end

  eccel_mul #(
      .Kind     (Kind),
      .Bits     (Bits),
      .Levels   (Levels),
      .Word     (Word),
      .Lanes    (Lanes),
      .Pipelined(Pipelined)
  ) u_mul (
      .clk_i,
      .rst_i,
      .valid_i   (request_q),
      .ready_o   (mul_ready),
      .a_i       (a_q),
      .b_i       (b_q),
      .valid_o   (mul_valid),
      .p_o       ({high, low}),
      .latency_o (unused_latency),
      .interval_o(unused_interval)
  );

  assign unused_ready = mul_ready;  // the schedule keeps the multiplier's pace

  assign t_valid_o = t_valid;
  assign t_low_o   = low;
  assign t_high_o  = high;
  assign u_valid_o = u_valid;
  assign u_high_o  = high;

endmodule
