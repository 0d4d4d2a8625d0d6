// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of a whole operand and one digit over GF(2), without reduction. Karatsuba's method is
// applied around one or two registers.
//
// Parameters Width of a and Digit, the size of the digit, in coefficients; Levels >= 0 of Karatsuba
//            outside the registers; Leaf: see eccel_gf2m_product. DigitStage: the parts of the
//            digit are registered, too.
// Requires   a_i comes with a_we_i. keep_i comes one cycle after digit_i, without DigitStage in the
//            same cycle.
// Guarantees One cycle after keep_i product_o = a * digit_i, a the last a_i with a_we_i before
//            keep_i. Without keep_i product_o is 0.

module eccel_gf2m_digit_product #(
    parameter int Width = 163,
    parameter int Digit = 55,
    parameter int Levels = 2,
    parameter int Leaf = 16,
    parameter bit DigitStage = 1'b1
) (
    input logic clk_i,

    input  logic                   a_we_i,
    input  logic [      Width-1:0] a_i,
    input  logic [      Digit-1:0] digit_i,
    input  logic                   keep_i,
    output logic [Width+Digit-1:0] product_o
);

  localparam int Digits = (Width + Digit - 1) / Digit;
  localparam int PartBits = (Digit + 2 ** Levels - 1) / 2 ** Levels;
  localparam int Parts = 3 ** Levels;
  localparam int BlockBits = PartBits * 2 ** Levels;
  localparam int PartProductBits = 2 * PartBits - 1;

  logic [Digits*Digit-1:0] a;
  logic [PartBits*Parts-1:0] digit_parts, digit_parts_q;
  logic [Width+Digit-1:0] block_products[Digits];

  assign a = (Digits * Digit)'(a_i);

  eccel_gf2m_split #(
      .Part  (PartBits),
      .Levels(Levels)
  ) u_split_digit (
      .value_i(BlockBits'(digit_i)),
      .parts_o(digit_parts)
  );

  if (DigitStage) begin : gen_stage
    always_ff @(posedge clk_i) digit_parts_q <= digit_parts;
  end else begin : gen_direct
    assign digit_parts_q = digit_parts;
  end

  for (genvar i = 0; i < Digits; i++) begin : gen_block
    logic [PartBits*Parts-1:0] a_parts, a_parts_q;
    logic [PartProductBits*Parts-1:0] products, products_q;
    logic [2*BlockBits-2:0] whole;

    eccel_gf2m_split #(
        .Part  (PartBits),
        .Levels(Levels)
    ) u_split_a (
        .value_i(BlockBits'(a[i*Digit+:Digit])),
        .parts_o(a_parts)
    );

    for (genvar j = 0; j < Parts; j++) begin : gen_part
      eccel_gf2m_product #(
          .Width(PartBits),
          .Leaf (Leaf)
      ) u_product (
          .a_i(a_parts_q[j*PartBits+:PartBits]),
          .b_i(digit_parts_q[j*PartBits+:PartBits]),
          .product_o(products[j*PartProductBits+:PartProductBits])
      );
    end

    always_ff @(posedge clk_i) begin
      if (a_we_i) a_parts_q <= a_parts;
      products_q <= keep_i ? products : '0;
    end

    eccel_gf2m_join #(
        .Part  (PartBits),
        .Levels(Levels)
    ) u_join (
        .products_i(products_q),
        .product_o (whole)
    );

    assign block_products[i] = (Width + Digit)'(whole) << i * Digit;
  end

  always_comb begin
    product_o = '0;
    for (int i = 0; i < Digits; i++) product_o = product_o ^ block_products[i];
  end

endmodule
