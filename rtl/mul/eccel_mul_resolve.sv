// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Last addition of a multiplier: product = (s + c + cin) * 2^Low + low, modulo
// 2^(Width + Low).
//
// Parameters Width: bits of s and c. Low >= 1: bits of the lower part. Segment >= 1: bits of a
//            carry chain. Early: cycles by which s_i and c_i come before load_i.
// Requires   load_i comes at most every Segments cycles, with cin_i and low_i. Segments =
//            ceil(Width / Segment).
// Guarantees p_o is the product in one cycle, Latency after load_i.
// Latency    1 + Segments
//
// The operands are kept until the carry has passed all segments, one in each cycle. No register
// needs an enable: the segments compute the same sum again until new operands arrive.

module eccel_mul_resolve #(
    parameter int Width   = 32,
    parameter int Low     = 32,
    parameter int Segment = 32,
    parameter int Early   = 0
) (
    input  logic                 clk_i,
    input  logic                 load_i,
    input  logic [    Width-1:0] s_i,
    input  logic [    Width-1:0] c_i,
    input  logic                 cin_i,
    input  logic [      Low-1:0] low_i,
    output logic [Width+Low-1:0] p_o
);

  localparam int Segments = (Width + Segment - 1) / Segment;

  logic [Width-1:0] s[Early+1], c[Early+1];
  logic [Width-1:0] s_q, c_q, sum_q;
  logic [Low-1:0] low_q, low_out_q;
  logic [Segments:0] carry_q;

  assign s[0] = s_i;
  assign c[0] = c_i;
  assign p_o  = {sum_q, low_out_q};

  for (genvar i = 0; i < Early; i++) begin : gen_early
    always_ff @(posedge clk_i) begin
      s[i+1] <= s[i];
      c[i+1] <= c[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      s_q        <= s[Early];
      c_q        <= c[Early];
      carry_q[0] <= cin_i;
      low_q      <= low_i;
    end
    low_out_q <= low_q;
  end

  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int At = i * Segment;
    localparam int Bits = At + Segment > Width ? Width - At : Segment;
    logic [Bits:0] sum;
    eccel_add #(
        .Width(Bits)
    ) u_add (
        .a_i  (s_q[At+:Bits]),
        .b_i  (c_q[At+:Bits]),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (carry_q[i]),
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) {carry_q[i+1], sum_q[At+:Bits]} <= sum;
  end

endmodule
