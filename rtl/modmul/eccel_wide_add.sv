// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Sum of two long numbers, one in each cycle: a + b + c.
//
// Parameters Width >= 1. Pipelined: no carry chain is longer than Segment bits.
// Guarantees sum_o = a_i + b_i + c_i, with the carry in bit Width.
// Latency    eccel_adder_pkg::wide_add_latency(Width, Pipelined): 1 or, with segments, 4 cycles for
//            every width
// Interval   1
//
// Stage 1 adds the segments on their own. A segment then passes a carry on if its sum is all ones,
// and makes one if its sum has overflowed: stage 2 finds that out. Stage 3 computes the carry into
// every segment by a short addition in which a segment is one bit (carry lookahead). Stage 4 adds
// the carries. A carry that moves one segment in each cycle instead would need registers for all
// segments that wait.

module eccel_wide_add #(
    parameter int Width     = 256,
    parameter bit Pipelined = 1'b1
) (
    input  logic             clk_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             c_i,
    output logic [  Width:0] sum_o
);

  localparam int Segment = eccel_adder_pkg::Segment;

  if (!Pipelined || Width <= Segment) begin : gen_chain
    logic [Width:0] sum;
    eccel_add #(
        .Width(Width)
    ) u_add (
        .a_i,
        .b_i,
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i,
        .sum_o(sum)
    );
    always_ff @(posedge clk_i) sum_o <= sum;
  end else begin : gen_segments
    localparam int Segments = (Width + Segment - 1) / Segment;

    // The sum of a segment overflows, is all ones. Carries into segments; bit Segments is the last.
    logic [Segments-1:0] over_1_q, over_2_q, pass_2_q;
    logic [Segments:0] lookahead, into, into_q;
    logic [Width-1:0] sum_1_q, sum_2_q, sum_3_q;

    for (genvar i = 0; i < Segments; i++) begin : gen_segment
      localparam int At = i * Segment;
      localparam int Bits = At + Segment > Width ? Width - At : Segment;
      logic carry;

      // {a, 1} + {b, carry} keeps the carry on the one chain.
      logic [Bits+1:0] sum;
      assign carry = i == 0 ? c_i : 1'b0;
      assign sum   = {1'b0, a_i[At+:Bits], 1'b1} + {1'b0, b_i[At+:Bits], carry};
      always_ff @(posedge clk_i) begin
        {over_1_q[i], sum_1_q[At+:Bits]} <= sum[Bits+1:1];
        // The carry into the lowest segment is in its sum already.
        pass_2_q[i] <= i != 0 && &sum_1_q[At+:Bits];
        sum_o[At+:Bits] <= sum_3_q[At+:Bits] + Bits'(into_q[i]);
      end
    end

    assign lookahead = {1'b0, over_2_q | pass_2_q} + {1'b0, over_2_q};
    assign into      = lookahead ^ {1'b0, pass_2_q};

    always_ff @(posedge clk_i) begin
      over_2_q     <= over_1_q;
      sum_2_q      <= sum_1_q;
      sum_3_q      <= sum_2_q;
      into_q       <= into;
      sum_o[Width] <= into_q[Segments];
    end
  end

endmodule
