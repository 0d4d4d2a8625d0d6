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
    logic [48:0] high;
    eccel_add #(.Width(32)) u_mixed (
        .a_i(pp[0][1]), .b_i(pp[1][0]), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(mixed)
    );
    eccel_add #(.Width(48)) u_high (
        .a_i({pp[1][1], pp[0][0][31:16]}), .b_i(48'(mixed)), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(high)
    );
    always_ff @(posedge clk_i) p_o <= {high[47:0], pp[0][0][15:0]};
  end else begin : gen_64
    logic [96:0] odd;  // weight 2^16
    logic [64:0] even;  // weight 2^32
    logic [32:0] mid;  // weight 2^48
    logic [112:0] main;  // weight 2^16
    logic [66:0] side;  // weight 2^32
    logic [96:0] high;  // weight 2^32
    eccel_add #(.Width(96)) u_odd (
        .a_i({pp[2][3], pp[1][2], pp[0][1]}), .b_i({pp[3][2], pp[2][1], pp[1][0]}),
        .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(odd)
    );
    eccel_add #(.Width(64)) u_even (
        .a_i({pp[3][1], pp[2][0]}), .b_i({pp[1][3], pp[0][2]}), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(even)
    );
    eccel_add #(.Width(32)) u_mid (.a_i(pp[3][0]), .b_i(pp[0][3]), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(mid));
    eccel_add #(.Width(112)) u_main (
        .a_i({pp[3][3], pp[2][2], pp[1][1], pp[0][0][31:16]}), .b_i(112'(odd)),
        .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(main)
    );
    eccel_add #(.Width(50)) u_side (
        .a_i(50'(even[64:16])), .b_i(50'(mid)), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(side[66:16])
    );
    assign side[15:0] = even[15:0];
    eccel_add #(.Width(96)) u_sum (
        .a_i(main[111:16]), .b_i(96'(side)), .add_i(1'b1), .sub_i(1'b0), .c_i(1'b0), .sum_o(high)
    );
    always_ff @(posedge clk_i) p_o <= {high[95:0], main[15:0], pp[0][0][15:0]};
  end

endmodule
