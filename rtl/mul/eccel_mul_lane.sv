// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Lane of eccel_mul_array: multiplies a word of a by words of b, and adds each product to the sum
// of the lane above.
//
// Parameters Width, WidthA, Pipelined: see eccel_mul_word. First: no lane is above this one.
//            HighBits: bits of a sum above its low word.
// Requires   a_i comes with a_en_i. above_low_i and above_high_i are the sums of the lane above.
// Guarantees low_o is the low word of the sum one cycle after the product; high_o, the rest, comes
//            one cycle later. With clear_low_i and clear_high_i they are 0 instead. kept_low_o and
//            kept_high_o are the sums that were computed with keep_low_i and keep_high_i.
//
// The carry between the two parts is registered, so that chains are as long as a word.

module eccel_mul_lane #(
    parameter int Width     = 32,
    parameter int WidthA    = 32,
    parameter int HighBits  = 35,
    parameter bit First     = 1'b0,
    parameter bit Pipelined = 1'b0
) (
    input  logic                clk_i,
    input  logic                a_en_i,
    input  logic [  WidthA-1:0] a_i,
    input  logic [   Width-1:0] b_i,
    input  logic [   Width-1:0] above_low_i,
    input  logic [HighBits-1:0] above_high_i,
    input  logic                clear_low_i,
    input  logic                clear_high_i,
    input  logic                keep_low_i,
    input  logic                keep_high_i,
    output logic [   Width-1:0] low_o,
    output logic [HighBits-1:0] high_o,
    output logic [   Width-1:0] kept_low_o,
    output logic [HighBits-1:0] kept_high_o
);

  logic [Width-1:0] product_low;
  logic [WidthA-1:0] product_high;
  logic [Width:0] low;
  logic [HighBits:0] high;

  eccel_mul_word #(
      .Width    (Width),
      .WidthA   (WidthA),
      .Pipelined(Pipelined)
  ) u_word (
      .clk_i,
      .a_en_i,
      .a_i,
      .b_i,
      .low_o (product_low),
      .high_o(product_high)
  );

  if (First) begin : gen_first
    assign low  = {1'b0, product_low};
    assign high = (HighBits + 1)'(product_high);
  end else begin : gen_add
    logic carry_q;
    eccel_add #(
        .Width(Width)
    ) u_low (
        .a_i  (product_low),
        .b_i  (above_low_i),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (1'b0),
        .sum_o(low)
    );
    eccel_add #(
        .Width(HighBits)
    ) u_high (
        .a_i  (HighBits'(product_high)),
        .b_i  (above_high_i),
        .add_i(1'b1),
        .sub_i(1'b0),
        .c_i  (carry_q),
        .sum_o(high)
    );
    always_ff @(posedge clk_i) carry_q <= low[Width];
  end

  always_ff @(posedge clk_i) begin
    if (clear_low_i) low_o <= '0;
    else low_o <= low[Width-1:0];
    if (clear_high_i) high_o <= '0;
    else high_o <= high[HighBits-1:0];
    if (keep_low_i) kept_low_o <= low[Width-1:0];
    if (keep_high_i) kept_high_o <= high[HighBits-1:0];
  end

endmodule
