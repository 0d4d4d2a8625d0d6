// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of two binary polynomials: product_o = a_i * b_i over GF(2), no reduction.
//
// Parameters WidthA >= WidthB >= 1 coefficients; Leaf: squares of at most this many coefficients are multiplied by
//            the schoolbook, larger ones split in halves (Karatsuba: three products of half the size).
//            Piped: a register behind each product of leaves.
// Requires   nothing.
// Guarantees product_o[k] = xor of a_i[i] & b_i[k - i], of the cycle before with Piped.
// Depth      for WidthB = Leaf * 2^j: j levels to add halves, the schoolbook's, 2 j levels to put them together. Where the
//            operands are not square, a_i is cut into blocks of WidthB, and the products of blocks are added up.
// After      Karatsuba, Ofman 1962; leaves of 8 map to the fewest LUT4 (docs/theory/gf2m.md).

module eccel_gf2m_product #(
    parameter int WidthA = 64,
    parameter int WidthB = 64,
    parameter int Leaf = 8,
    parameter bit Piped = 1'b0,
    localparam int Width = WidthA + WidthB - 1
) (
    input  logic              clk_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    output logic [ Width-1:0] product_o
);

  if (WidthA < WidthB || WidthB < 1) begin : gen_order
    $error("eccel_gf2m_product: WidthA >= WidthB >= 1");
  end

  if (WidthA > WidthB) begin : gen_blocks
    localparam int Rest = WidthA % WidthB == 0 ? WidthB : WidthA % WidthB;
    localparam int High = WidthA - Rest;
    logic [High + WidthB - 2:0] low;
    logic [Rest + WidthB - 2:0] high;

    // Whole blocks below, what remains on top: the smaller factor is the second one, always.
    eccel_gf2m_product #(
        .WidthA(High),
        .WidthB(WidthB),
        .Leaf  (Leaf),
        .Piped (Piped)
    ) u_low (
        .clk_i(clk_i),
        .a_i(a_i[High-1:0]),
        .b_i(b_i),
        .product_o(low)
    );

    eccel_gf2m_product #(
        .WidthA(WidthB),
        .WidthB(Rest),
        .Leaf  (Leaf),
        .Piped (Piped)
    ) u_high (
        .clk_i(clk_i),
        .a_i(b_i),
        .b_i(a_i[WidthA-1:High]),
        .product_o(high)
    );

    assign product_o = Width'(low) ^ {high, High'(0)};
  end else if (WidthB <= Leaf) begin : gen_leaf
    logic [Width-1:0] product;

    for (genvar k = 0; k < Width; k++) begin : gen_column
      localparam int First = k < WidthB ? 0 : k - WidthB + 1;
      localparam int Last = k < WidthB ? k : WidthB - 1;
      logic [Last-First:0] terms;

      for (genvar i = First; i <= Last; i++) begin : gen_term
        assign terms[i-First] = a_i[i] & b_i[k-i];
      end

      assign product[k] = ^terms;
    end

    if (Piped) begin : gen_register
      always_ff @(posedge clk_i) product_o <= product;
    end else begin : gen_wire
      assign product_o = product;
    end
  end else begin : gen_halves
    // The upper half is the shorter one of an odd width.
    localparam int Low = (WidthB + 1) / 2;
    localparam int High = WidthB - Low;
    logic [2*Low-2:0] low, both, middle;
    logic [2*High-2:0] high;

    eccel_gf2m_product #(
        .WidthA(Low),
        .WidthB(Low),
        .Leaf  (Leaf),
        .Piped (Piped)
    ) u_low (
        .clk_i(clk_i),
        .a_i(a_i[Low-1:0]),
        .b_i(b_i[Low-1:0]),
        .product_o(low)
    );

    eccel_gf2m_product #(
        .WidthA(High),
        .WidthB(High),
        .Leaf  (Leaf),
        .Piped (Piped)
    ) u_high (
        .clk_i(clk_i),
        .a_i(a_i[WidthB-1:Low]),
        .b_i(b_i[WidthB-1:Low]),
        .product_o(high)
    );

    eccel_gf2m_product #(
        .WidthA(Low),
        .WidthB(Low),
        .Leaf  (Leaf),
        .Piped (Piped)
    ) u_both (
        .clk_i(clk_i),
        .a_i(a_i[Low-1:0] ^ Low'(a_i[WidthB-1:Low])),
        .b_i(b_i[Low-1:0] ^ Low'(b_i[WidthB-1:Low])),
        .product_o(both)
    );

    assign middle = both ^ low ^ (2 * Low - 1)'(high);
    assign product_o = Width'(low) ^ (Width'(middle) << Low) ^ (Width'(high) << 2 * Low);
  end

endmodule
