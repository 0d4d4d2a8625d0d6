// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Low half of the product of two digits, p_o = a * b mod 2^DigitBits, for the quotient digit of
// Montgomery's reduction. It is made of 16 x 16-bit multiplier blocks.
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   a_i and b_i with en_i.
// Guarantees p_o is stable from 2 cycles after en_i until 2 cycles after the next en_i.
// Latency    2 cycles: operand registers, then the output registers of the blocks. With 64 bits the
//            second register follows the first adders instead. With 32 and 64 bits two more adders
//            follow, so that p_o is combinational.

module eccel_digit_mul_low #(
    parameter int DigitBits = 32
) (
    input  logic                 clk_i,
    input  logic                 en_i,
    input  logic [DigitBits-1:0] a_i,
    input  logic [DigitBits-1:0] b_i,
    output logic [DigitBits-1:0] p_o
);

  localparam int Tiles = DigitBits / 16;

  logic [31:0] pp[Tiles][Tiles];  // only i + j < Tiles reach the low half

  for (genvar i = 0; i < Tiles; i++) begin : gen_a
    for (genvar j = 0; j < Tiles; j++) begin : gen_b
      if (i + j < Tiles) begin : gen_tile
        eccel_mul18 #(
            .WidthA(16),
            .WidthB(16),
            .OutReg(Tiles < 4)
        ) u_mul (
            .clk_i,
            .a_en_i (en_i),
            .a_clr_i(1'b0),
            .a_i    (a_i[16*i+:16]),
            .b_en_i (en_i),
            .b_i    (b_i[16*j+:16]),
            .p_o    (pp[i][j])
        );
      end else begin : gen_none
        assign pp[i][j] = '0;
      end
    end
  end

  if (Tiles == 1) begin : gen_16
    assign p_o = pp[0][0][15:0];
  end else if (Tiles == 2) begin : gen_32
    logic [15:0] mixed, high;
    eccel_add_mux #(.Width(16)) u_mixed (
        .a_i(pp[0][1][15:0]), .b_i(pp[1][0][15:0]), .c_i('0), .sel_i(1'b1), .sum_o(mixed)
    );
    eccel_add_mux #(.Width(16)) u_high (
        .a_i(pp[0][0][31:16]), .b_i(mixed), .c_i('0), .sel_i(1'b1), .sum_o(high)
    );
    assign p_o = {high, pp[0][0][15:0]};
  end else begin : gen_64
    // A product leaves the blocks late, so that no adder of the first ones is longer than 32 bits.
    logic [32:0] odd;  // weight 2^16
    logic [47:0] main;  // weight 2^16
    logic [31:0] even, high;  // weight 2^32
    logic [15:0] outer, inner;  // weight 2^48
    logic [16:0] side;
    logic [63:0] base_q;
    logic [32:0] odd_q;
    logic [31:0] even_q;
    logic [15:0] outer_q, inner_q;
    eccel_add #(.Width(32)) u_odd (
        .a_i(pp[0][1]), .b_i(pp[1][0]), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(odd)
    );
    eccel_add_mux #(.Width(32)) u_even (
        .a_i(pp[2][0]), .b_i(pp[0][2]), .c_i('0), .sel_i(1'b1), .sum_o(even)
    );
    eccel_add_mux #(.Width(16)) u_outer (
        .a_i(pp[3][0][15:0]), .b_i(pp[0][3][15:0]), .c_i('0), .sel_i(1'b1), .sum_o(outer)
    );
    eccel_add_mux #(.Width(16)) u_inner (
        .a_i(pp[2][1][15:0]), .b_i(pp[1][2][15:0]), .c_i('0), .sel_i(1'b1), .sum_o(inner)
    );
    always_ff @(posedge clk_i) begin
      base_q  <= {pp[1][1], pp[0][0]};
      odd_q   <= odd;
      even_q  <= even;
      outer_q <= outer;
      inner_q <= inner;
    end
    eccel_add_mux #(.Width(48)) u_main (
        .a_i(base_q[63:16]), .b_i({inner_q, odd_q[31:0]}), .c_i('0), .sel_i(1'b1), .sum_o(main)
    );
    eccel_add #(.Width(16)) u_side (
        .a_i(even_q[31:16]), .b_i(outer_q), .add_i(1'b1), .sub_i(1'b0), .c_i(odd_q[32]), .sum_o(side)
    );
    eccel_add_mux #(.Width(32)) u_sum (
        .a_i(main[47:16]), .b_i({side[15:0], even_q[15:0]}), .c_i('0), .sel_i(1'b1), .sum_o(high)
    );
    assign p_o = {high, main[15:0], base_q[15:0]};
  end

endmodule
