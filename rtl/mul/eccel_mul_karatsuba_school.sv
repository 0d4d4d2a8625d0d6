// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product by the school method on multiplier blocks: the leaf of the divide-and-conquer multiplier.
//
// Parameters Width >= 1. Leaf >= 2: most bits of a digit. Segment: see eccel_mul_karatsuba_pkg; 0
//            for no registers.
// Guarantees p_o = a_i * b_i, all skewed.
// Latency    eccel_mul_karatsuba_pkg::school_latency(Width, Leaf, Segment) for the lowest segments
//
// Products of digits i and j with the same i - j do not overlap, so they are one row. The rows are
// added from the shortest one, in the middle, to the longest one, which costs the fewest cells.

module eccel_mul_karatsuba_school #(
    parameter int Width   = 17,
    parameter int Leaf    = 17,
    parameter int Segment = 32
) (
    input  logic               clk_i,
    input  logic [  Width-1:0] a_i,
    input  logic [  Width-1:0] b_i,
    output logic [2*Width-1:0] p_o
);

  import eccel_mul_karatsuba_pkg::at;

  localparam int Digits = eccel_mul_karatsuba_pkg::digits(Width, Leaf);
  localparam int DigitBits = (Width + Digits - 1) / Digits;
  localparam int Rows = 2 * Digits - 1;
  localparam int Top = 2 * Width;
  localparam int Whole = 2 * DigitBits * Digits;
  // The operands wait for their highest segment; then all products begin at once.
  localparam int Start = at(Width - 1, Width, Segment);
  localparam int Ready = Segment == 0 ? 0 : Start + eccel_mul_karatsuba_pkg::BlockCycles;
  localparam int Step = Segment == 0 ? 0 : 1;

  // Difference of the digit numbers of row r: Digits - 1, 1 - Digits, Digits - 2, .., 0.
  function automatic int difference(int r);
    return r % 2 == 0 ? Digits - 1 - r / 2 : r / 2 + 1 - Digits;
  endfunction

  function automatic int lowest(int r);
    return (difference(r) < 0 ? -difference(r) : difference(r)) * DigitBits;
  endfunction

  logic [Width-1:0] a, b;
  eccel_mul_karatsuba_align #(
      .Width  (Width),
      .Segment(Segment),
      .To     (Start),
      .ToTop  (1)
  ) u_a (
      .clk_i,
      .d_i(a_i),
      .d_o(a)
  );
  eccel_mul_karatsuba_align #(
      .Width  (Width),
      .Segment(Segment),
      .To     (Start),
      .ToTop  (1)
  ) u_b (
      .clk_i,
      .d_i(b_i),
      .d_o(b)
  );

  logic [Rows-1:0][Whole-1:0] row;
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    localparam int Difference = difference(r);
    localparam int Low = lowest(r);
    localparam int Count = Digits - Low / DigitBits;
    if (Low > 0) begin : gen_outside
      assign row[r][Low-1:0] = '0;
      assign row[r][Whole-1:Whole-Low] = '0;
    end
    for (genvar k = 0; k < Count; k++) begin : gen_product
      localparam int I = k + (Difference > 0 ? Difference : 0);
      localparam int J = k + (Difference < 0 ? -Difference : 0);
      localparam int WidthA = I == Digits - 1 ? Width - I * DigitBits : DigitBits;
      localparam int WidthB = J == Digits - 1 ? Width - J * DigitBits : DigitBits;
      logic [WidthA+WidthB-1:0] product;
      eccel_mul_karatsuba_block #(
          .WidthA   (WidthA),
          .WidthB   (WidthB),
          .Signed   (1'b0),
          .Registers(Segment != 0)
      ) u_mul (
          .clk_i,
          .a_i(a[I*DigitBits+:WidthA]),
          .b_i(b[J*DigitBits+:WidthB]),
          .p_o(product)
      );
      assign row[r][Low+2*DigitBits*k+:2*DigitBits] = (2 * DigitBits)'(product);
    end
  end

  logic [Rows-1:0][Top-1:0] sum;  // of the rows up to this one
  eccel_mul_karatsuba_align #(
      .Width   (Top),
      .Segment (Segment),
      .FromSkew(1'b0),
      .From    (Ready),
      .To      (Ready)
  ) u_first (
      .clk_i,
      .d_i(row[0][Top-1:0]),
      .d_o(sum[0])
  );
  for (genvar r = 1; r < Rows; r++) begin : gen_add
    // The sum of the rows before is 0 below position Low. Two bits above the row hold the sum.
    localparam int Low = lowest(r - 1);
    localparam int High = Whole - lowest(r) + 2 < Top ? Whole - lowest(r) + 2 : Top;
    localparam int Begin = Ready + (r - 1) * Step;
    logic [Top-1:0] operand;
    logic unused_carry;

    eccel_mul_karatsuba_align #(
        .Width   (Top),
        .Segment (Segment),
        .FromSkew(1'b0),
        .From    (Ready),
        .To      (Begin)
    ) u_operand (
        .clk_i,
        .d_i(row[r][Top-1:0]),
        .d_o(operand)
    );
    eccel_mul_karatsuba_row #(
        .Width  (High - Low),
        .Low    (Low),
        .Top    (Top),
        .Segment(Segment)
    ) u_add (
        .clk_i,
        .a_i    (operand[High-1:Low]),
        .b_i    (sum[r-1][High-1:Low]),
        .c_i    (1'b0),
        .sum_o  (sum[r][High-1:Low]),
        .carry_o(unused_carry)
    );
    if (Low > 0) begin : gen_low
      eccel_mul_karatsuba_align #(
          .Width  (Low),
          .Segment(Segment),
          .FromTop(Top),
          .To     (Step),
          .ToTop  (Top)
      ) u_low (
          .clk_i,
          .d_i(operand[Low-1:0]),
          .d_o(sum[r][Low-1:0])
      );
    end
    if (High < Top) begin : gen_high
      assign sum[r][Top-1:High] = '0;
    end
  end
  assign p_o = sum[Rows-1];

endmodule
