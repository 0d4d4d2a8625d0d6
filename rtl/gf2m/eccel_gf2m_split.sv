// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Splits an operand into the parts of Karatsuba's method: on each level lower half, upper half, sum
// of both.
//
// Parameters Part: coefficients of a part; Levels >= 0 of halving.
// Guarantees parts_o: 3^Levels parts; first those of the lower half, then those of the upper half,
//            then those of the sum. Combinational.
// Depth      Sums of up to 2^Levels coefficients.

module eccel_gf2m_split #(
    parameter  int Part   = 16,
    parameter  int Levels = 2,
    localparam int Width  = Part * 2 ** Levels,
    localparam int Parts  = Part * 3 ** Levels
) (
    input  logic [Width-1:0] value_i,
    output logic [Parts-1:0] parts_o
);

  if (Levels == 0) begin : gen_part
    assign parts_o = value_i;
  end else begin : gen_halves
    logic [3*Width/2-1:0] halves;

    assign halves = {value_i[Width/2+:Width/2] ^ value_i[0+:Width/2], value_i};

    for (genvar i = 0; i < 3; i++) begin : gen_half
      eccel_gf2m_split #(
          .Part  (Part),
          .Levels(Levels - 1)
      ) u_split (
          .value_i(halves[i*Width/2+:Width/2]),
          .parts_o(parts_o[i*Parts/3+:Parts/3])
      );
    end
  end

endmodule
