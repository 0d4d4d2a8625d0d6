// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Adder for skewed numbers: a + (b ^ Invert) + c, segment by segment.
//
// Parameters Width >= 1 positions. Position i is bit Low + i of a number of Top bits, which says
//            its segment. Gap > Low: the adder has a position of its own before bit Gap, so that
//            position i > Gap - Low is bit Low + i - 1; -1: none. Passes: that position passes its
//            carry in any case. Invert: constant. Segment: bits of a segment; 0: no registers.
// Requires   Passes: the operands of the position of its own are 0 and 1.
// Guarantees sum_o is the sum, carry_o its carry, in the segment of the highest position.
// Latency    1 cycle; 0 without registers
//
// The position of its own is for a carry: with the operands 0 and 1 it passes the carry and gives
// its complement as sum; with 0 and a condition it passes the carry under this condition.
//
// A position that passes the carry needs no cell if it is the last one of a segment: the register
// of the carry is there, and its complement is the sum. Otherwise synthesis would find that the two
// bits differ by an inverter only, and put it between the chain and a register.

module eccel_mul_karatsuba_row #(
    parameter int Width = 32,
    parameter int Low = 0,
    parameter int Top = Width,
    parameter int Gap = -1,
    parameter bit Passes = 1'b0,
    parameter int Segment = 32,
    parameter logic [Width-1:0] Invert = '0
) (
    input  logic             clk_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             c_i,
    output logic [Width-1:0] sum_o,
    output logic             carry_o
);

  localparam int NoGap = Low + Width + 1;

  function automatic int segment_of(int i);
    return eccel_mul_karatsuba_pkg::row_at(i, Low, Top, Gap < 0 ? NoGap : Gap, Segment);
  endfunction

  // The lowest position in segment s or above it.
  function automatic int begin_of(int s);
    for (int i = 0; i < Width; i++) if (segment_of(i) >= s) return i;
    return Width;
  endfunction

  localparam int First = segment_of(0);
  localparam int Last = segment_of(Width - 1);

  logic [Last+1:First] carry;
  assign carry[First] = c_i;
  assign carry_o = carry[Last+1];

  for (genvar s = First; s <= Last; s++) begin : gen_segment
    localparam int From = begin_of(s);
    localparam int All = begin_of(s + 1) - From;
    localparam bit Ends = Passes && From + All - 1 == Gap - Low && All > 1;
    localparam int Bits = Ends ? All - 1 : All;
    logic [Bits:0] sum;

    eccel_add_invert #(
        .Width (Bits),
        .Invert(Invert[From+:Bits])
    ) u_add (
        .a_i  (a_i[From+:Bits]),
        .b_i  (b_i[From+:Bits]),
        .c_i  (carry[s]),
        .sum_o(sum)
    );

    if (Segment == 0) begin : gen_wire
      logic unused_clk;
      assign unused_clk = clk_i;
      assign {carry[s+1], sum_o[From+:Bits]} = sum;
    end else begin : gen_register
      always_ff @(posedge clk_i) {carry[s+1], sum_o[From+:Bits]} <= sum;
    end
    if (Ends) begin : gen_end
      logic unused_operands;
      assign unused_operands  = a_i[From+Bits] ^ b_i[From+Bits];
      assign sum_o[From+Bits] = !carry[s+1];
    end
  end

endmodule
