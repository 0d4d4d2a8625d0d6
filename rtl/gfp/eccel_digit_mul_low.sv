// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Low half of a digit product, p_o = a * b mod 2^DigitBits, for the quotient digit of Montgomery's reduction.
//
// Parameters DigitBits in {16, 32, 64}.
// Guarantees p_o is stable from two cycles after en_i until two cycles after the next en_i.
// Latency    2 cycles (operand registers, block output registers); the sum of the partial products behind the
//            output registers is combinational: register p_o before any further carry chain.

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
            .WidthB(16)
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
    logic [15:0] mixed;
    assign mixed = pp[0][1][15:0] + pp[1][0][15:0];
    assign p_o   = {pp[0][0][31:16] + mixed, pp[0][0][15:0]};
  end else begin : gen_64
    logic [47:0] odd;  // weight 2^16
    logic [31:0] even;  // weight 2^32
    logic [15:0] mid;  // weight 2^48
    logic [31:0] side;
    logic [47:0] main;
    assign odd  = {pp[1][2][15:0], pp[0][1]} + {pp[2][1][15:0], pp[1][0]};
    assign even = pp[2][0] + pp[0][2];
    assign mid  = pp[3][0][15:0] + pp[0][3][15:0];
    assign side = even + {mid, 16'b0};
    assign main = {pp[1][1], pp[0][0][31:16]} + odd;
    assign p_o  = {main[47:16] + side, main[15:0], pp[0][0][15:0]};
  end

endmodule
