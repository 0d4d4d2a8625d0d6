// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Combinational modules of Karatsuba's method in several sizes, for test_product.py: one library
// for all their tests.

module karatsuba_units #(
    localparam int Small = 5,
    localparam int Large = 41,
    localparam int LeafBits = 16,
    localparam int Part = 3,
    localparam int MostLevels = 3
) (
    input logic clk_i,  // not used

    // eccel_gf2m_product: all widths up to Small, with leaves of 2
    input  logic [     Large-1:0] a_i,
    input  logic [     Large-1:0] b_i,
    output logic [   2*Small-2:0] small_o[Small],
    output logic [2*LeafBits-2:0] leaf_o,
    output logic [   2*Large-2:0] large_o,

    // eccel_gf2m_split of 0, 1, ... levels; eccel_gf2m_join of the same levels
    input  logic [      Part*2**MostLevels-1:0] value_i,
    output logic [      Part*3**MostLevels-1:0] parts_o   [MostLevels+1],
    input  logic [(2*Part-1)*3**MostLevels-1:0] products_i,
    output logic [    2*Part*2**MostLevels-2:0] product_o [MostLevels+1]
);

  for (genvar i = 0; i < Small; i++) begin : gen_small
    logic [2*i:0] product;

    eccel_gf2m_product #(
        .Width(i + 1),
        .Leaf (2)
    ) u_product (
        .a_i(a_i[i:0]),
        .b_i(b_i[i:0]),
        .product_o(product)
    );
    assign small_o[i] = (2 * Small - 1)'(product);
  end

  eccel_gf2m_product #(
      .Width(LeafBits),
      .Leaf (LeafBits)
  ) u_leaf (
      .a_i(a_i[LeafBits-1:0]),
      .b_i(b_i[LeafBits-1:0]),
      .product_o(leaf_o)
  );

  eccel_gf2m_product #(
      .Width(Large),
      .Leaf (8)
  ) u_large (
      .a_i,
      .b_i,
      .product_o(large_o)
  );

  for (genvar i = 0; i <= MostLevels; i++) begin : gen_levels
    logic [Part*3**i-1:0] parts;
    logic [2*Part*2**i-2:0] product;

    eccel_gf2m_split #(
        .Part  (Part),
        .Levels(i)
    ) u_split (
        .value_i(value_i[Part*2**i-1:0]),
        .parts_o(parts)
    );
    assign parts_o[i] = (Part * 3 ** MostLevels)'(parts);

    eccel_gf2m_join #(
        .Part  (Part),
        .Levels(i)
    ) u_join (
        .products_i(products_i[(2*Part-1)*3**i-1:0]),
        .product_o (product)
    );
    assign product_o[i] = (2 * Part * 2 ** MostLevels - 1)'(product);
  end

endmodule
