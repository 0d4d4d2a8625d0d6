// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Divide-and-conquer multiplier on multiplier blocks: p = a * b.
//
// Parameters Bits; Levels: how often the operands are halved, with three products in place of four;
//            0 is the school method. 2^(Levels + 1) <= Bits, or Levels = 0. Pipelined: registers
//            inside, so that no carry chain is much longer than Segment.
//            Leaf >= 2, at most 17: most bits of an unsigned operand of a block; signed ones have
//            one more. Halves that are longer after the last level are products of several blocks.
// Requires   See the interface in README.md.
// Guarantees p_o = a_i * b_i, with valid_o. No timing depends on data.
// Latency    2; Pipelined: eccel_mul_karatsuba_pkg::latency(Bits, Levels, 1, Leaf, Segment)
// Interval   1
//
// 3^Levels blocks if Bits / 2^Levels is at most about 16, as with 4 levels of 256 bits.

module eccel_mul_karatsuba #(
    parameter int Bits      = 256,
    parameter int Levels    = 4,
    parameter bit Pipelined = 1'b0,
    parameter int Leaf      = eccel_mul_karatsuba_pkg::Leaf,
    parameter int Segment   = eccel_mul_karatsuba_pkg::Segment
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

  localparam int Latency = eccel_mul_karatsuba_pkg::latency(
      Bits, Levels, Pipelined, Leaf, Segment
  );
  localparam int Used = Pipelined ? Segment : 0;
  localparam int Begin = eccel_mul_karatsuba_pkg::node_latency(Bits, 1, Levels, Leaf, Used);

  logic [Bits-1:0] a_q, b_q, a, b;
  logic [2*Bits-1:0] p, whole;
  logic [Latency:1] valid_q;

  assign latency_o  = 16'(Latency);
  assign interval_o = 16'(eccel_mul_karatsuba_pkg::Interval);
  assign ready_o    = 1'b1;
  assign valid_o    = valid_q[Latency];

  always_ff @(posedge clk_i) begin
    a_q     <= a_i;
    b_q     <= b_i;
    valid_q <= rst_i ? '0 : {valid_q[Latency-1:1], valid_i};
  end

  eccel_mul_karatsuba_align #(
      .Width   (Bits),
      .Segment (Used),
      .FromSkew(1'b0)
  ) u_a (
      .clk_i,
      .d_i(a_q),
      .d_o(a)
  );
  eccel_mul_karatsuba_align #(
      .Width   (Bits),
      .Segment (Used),
      .FromSkew(1'b0)
  ) u_b (
      .clk_i,
      .d_i(b_q),
      .d_o(b)
  );

  eccel_mul_karatsuba_node #(
      .Bits   (Bits),
      .Scale  (1),
      .Levels (Levels),
      .Leaf   (Leaf),
      .Segment(Used)
  ) u_node (
      .clk_i,
      .a_i(a),
      .b_i(b),
      .p_o(p)
  );

  eccel_mul_karatsuba_align #(
      .Width  (2 * Bits),
      .Segment(Used),
      .From   (Begin),
      .To     (Begin + eccel_mul_karatsuba_pkg::at(2 * Bits - 1, 2 * Bits, Used)),
      .ToTop  (1)
  ) u_whole (
      .clk_i,
      .d_i(p),
      .d_o(whole)
  );

  if (Pipelined) begin : gen_out
    assign p_o = whole;
  end else begin : gen_register
    always_ff @(posedge clk_i) p_o <= whole;
  end

endmodule
