// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Forms a product over GF(2) from the products of its parts (see eccel_gf2m_split): Karatsuba's
// method.
//
// Parameters Part: coefficients of a part; Levels >= 0 of halving.
// Requires   products_i: for each part, in the order of eccel_gf2m_split, a product of 2 Part - 1
//            coefficients.
// Guarantees product_o: the product, of 2 Part 2^Levels - 1 coefficients. Combinational.
// Depth      The sum of four terms for each coefficient and level.

module eccel_gf2m_join #(
    parameter  int Part     = 16,
    parameter  int Levels   = 2,
    localparam int Half     = Levels == 0 ? Part : Part * 2 ** (Levels - 1),
    localparam int Width    = 2 * Part * 2 ** Levels - 1,
    localparam int Products = (2 * Part - 1) * 3 ** Levels
) (
    input  logic [Products-1:0] products_i,
    output logic [   Width-1:0] product_o
);

  if (Levels == 0) begin : gen_part
    assign product_o = products_i;
  end else begin : gen_halves
    logic [2:0][2*Half-2:0] halves;
    logic [2*Half-2:0] middle;

    for (genvar i = 0; i < 3; i++) begin : gen_half
      eccel_gf2m_join #(
          .Part  (Part),
          .Levels(Levels - 1)
      ) u_join (
          .products_i(products_i[i*Products/3+:Products/3]),
          .product_o (halves[i])
      );
    end

    // The lower product, the upper product, and in the middle the product of the sums minus these
    // two.
    assign middle = halves[0] ^ halves[1] ^ halves[2];
    assign product_o = Width'(halves[0]) ^ (Width'(middle) << Half) ^ (Width'(halves[1]) << 2 * Half);
  end

endmodule
