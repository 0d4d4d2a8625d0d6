// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Product of two binary polynomials, product_o = a_i * b_i over GF(2), without reduction.
// Combinational.
//
// Parameters Width: coefficients of each operand. Leaf <= LeafBits: operands of up to so many
//            coefficients are multiplied by the schoolbook method; longer ones are halved
//            (Karatsuba's method: three products of half the size).
// Guarantees product_o[k] is the exclusive or of all a_i[i] & b_i[k - i].
// After      Karatsuba, Ofman 1962. Leaves of 8 map to the fewest LUT4 (docs/theory/gf2m.md).

module eccel_gf2m_product
  import eccel_gf2m_pkg::*;
#(
    parameter int Width = 64,
    parameter int Leaf  = 8
) (
    input  logic [  Width-1:0] a_i,
    input  logic [  Width-1:0] b_i,
    output logic [2*Width-2:0] product_o
);

  if (Width <= Leaf || Width == 1) begin : gen_leaf
    assign product_o = (2 * Width - 1)'(schoolbook(LeafBits'(a_i), LeafBits'(b_i), Width));
  end else begin : gen_halves
    localparam int Half = (Width + 1) / 2;
    logic [3*Half-1:0] a_parts, b_parts;
    logic [3*(2*Half-1)-1:0] products;

    // With an odd width the upper half is the shorter one.
    eccel_gf2m_split #(
        .Part  (Half),
        .Levels(1)
    ) u_split_a (
        .value_i((2 * Half)'(a_i)),
        .parts_o(a_parts)
    );
    eccel_gf2m_split #(
        .Part  (Half),
        .Levels(1)
    ) u_split_b (
        .value_i((2 * Half)'(b_i)),
        .parts_o(b_parts)
    );

    for (genvar i = 0; i < 3; i++) begin : gen_half
      eccel_gf2m_product #(
          .Width(Half),
          .Leaf (Leaf)
      ) u_product (
          .a_i(a_parts[i*Half+:Half]),
          .b_i(b_parts[i*Half+:Half]),
          .product_o(products[i*(2*Half-1)+:2*Half-1])
      );
    end

    // With an odd width the product has two coefficients less than that of its halves; these are 0.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [4*Half-2:0] product;
    /* verilator lint_on UNUSEDSIGNAL */

    eccel_gf2m_join #(
        .Part  (Half),
        .Levels(1)
    ) u_join (
        .products_i(products),
        .product_o (product)
    );
    assign product_o = product[2*Width-2:0];
  end

endmodule
