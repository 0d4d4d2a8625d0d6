// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit multiplier: full product of two DigitBits-wide digits from 16 x 16 multiplier blocks.
//
// Parameters DigitBits in {16, 32, 64}.
// Guarantees p_o = a * b. The operand registers sit in the multiplier blocks: a is loaded every cycle (a_clr_i loads 0),
//            b only with b_en_i, so that a row operand stays where it is used.
// Latency    2 cycles for 16 bits (operand register, block output register), 3 for 32 and 64 (sum of the partial
//            products, registered); one product a cycle.
//
// The partial products are packed into as few vectors as possible without overlap before they are added:
// 2 for 32 bits, 7 for 64.

module eccel_digit_mul #(
    parameter int DigitBits = 32
) (
    input  logic                   clk_i,
    input  logic                   a_clr_i,
    input  logic [  DigitBits-1:0] a_i,
    input  logic                   b_en_i,
    input  logic [  DigitBits-1:0] b_i,
    output logic [2*DigitBits-1:0] p_o
);

  localparam int Tiles = DigitBits / 16;

  logic [31:0] pp[Tiles][Tiles];  // pp[i][j] = a tile i * b tile j, weight 2^(16 (i + j))

  for (genvar i = 0; i < Tiles; i++) begin : gen_a
    for (genvar j = 0; j < Tiles; j++) begin : gen_b
      eccel_mul18 #(
          .WidthA(16),
          .WidthB(16)
      ) u_mul (
          .clk_i,
          .a_en_i (1'b1),
          .a_clr_i,
          .a_i    (a_i[16*i+:16]),
          .b_en_i,
          .b_i    (b_i[16*j+:16]),
          .p_o    (pp[i][j])
      );
    end
  end

  if (Tiles == 1) begin : gen_16
    assign p_o = pp[0][0];
  end else if (Tiles == 2) begin : gen_32
    logic [32:0] mixed;
    logic [47:0] high;
    assign mixed = {1'b0, pp[0][1]} + {1'b0, pp[1][0]};
    assign high  = {pp[1][1], pp[0][0][31:16]} + 48'(mixed);
    always_ff @(posedge clk_i) p_o <= {high, pp[0][0][15:0]};
  end else begin : gen_64
    logic [96:0] odd;  // weight 2^16
    logic [64:0] even;  // weight 2^32
    logic [32:0] mid;  // weight 2^48
    logic [111:0] main;  // weight 2^16
    logic [65:0] side;  // weight 2^32
    assign odd  = {1'b0, pp[2][3], pp[1][2], pp[0][1]} + {1'b0, pp[3][2], pp[2][1], pp[1][0]};
    assign even = {1'b0, pp[3][1], pp[2][0]} + {1'b0, pp[1][3], pp[0][2]};
    assign mid  = {1'b0, pp[3][0]} + {1'b0, pp[0][3]};
    assign main = {pp[3][3], pp[2][2], pp[1][1], pp[0][0][31:16]} + 112'(odd);
    assign side = {1'b0, even} + {17'b0, mid, 16'b0};
    always_ff @(posedge clk_i) begin
      p_o <= {{main[111:16]} + 96'(side), main[15:0], pp[0][0][15:0]};
    end
  end

endmodule
