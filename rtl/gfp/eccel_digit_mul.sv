// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit-serial multiplier: a number, digit by digit, times one digit; from 16 x 16 multiplier blocks.
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   digits of a lowest first, one a cycle, and a digit 0 (a_clr_i) behind the highest; b_en_i with the lowest.
// Guarantees the digits of p = a * b, one more than a has. The operand registers sit in the multiplier blocks: a is loaded
//            every cycle, b only with b_en_i, so that a row operand stays where it is used.
// Latency    3 cycles from a digit of a to the digit of p (4 for 64 bits), one digit a cycle: operand registers, block
//            output registers, then sums; p_o is a register for 16 and 64 bits, an adder behind registers for 32.
//
// A full product of digits is never formed: bit k of a partial product goes to bit k mod DigitBits of this digit or of the
// next one, so that Tiles vectors for each column parity hold all of them without a gap, and digit-serial adders sum them.

module eccel_digit_mul #(
    parameter int DigitBits = 32
) (
    input  logic                 clk_i,
    input  logic                 a_clr_i,
    input  logic [DigitBits-1:0] a_i,
    input  logic                 b_en_i,
    input  logic [DigitBits-1:0] b_i,
    output logic [DigitBits-1:0] p_o
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

  // Partial products of weight 2^(16 Tiles) and more belong to the next digit, of the others at most the upper half.
  logic [31:0] now[Tiles][Tiles];
  logic [15:0] upper_q[Tiles];  // of the products i + j = Tiles - 1, which straddle two digits

  for (genvar i = 0; i < Tiles; i++) begin : gen_delay
    for (genvar j = 0; j < Tiles; j++) begin : gen_product
      if (i + j < Tiles) begin : gen_now
        assign now[i][j] = pp[i][j];
      end else begin : gen_next
        always_ff @(posedge clk_i) now[i][j] <= pp[i][j];
      end
    end
    always_ff @(posedge clk_i) upper_q[i] <= pp[i][Tiles-1-i][31:16];
  end

  if (Tiles == 1) begin : gen_16
    logic [15:0] sum;
    eccel_serial_add #(.Width(16)) u_sum (.clk_i, .a_i(now[0][0][15:0]), .b_i(upper_q[0]), .sum_o(sum));
    always_ff @(posedge clk_i) p_o <= sum;
  end else if (Tiles == 2) begin : gen_32
    logic [31:0] even, odd, even_q, odd_q;
    eccel_serial_add #(.Width(32)) u_even (.clk_i, .a_i(now[0][0]), .b_i(now[1][1]), .sum_o(even));
    eccel_serial_add #(.Width(32)) u_odd (
        .clk_i, .a_i({now[0][1][15:0], upper_q[0]}), .b_i({now[1][0][15:0], upper_q[1]}), .sum_o(odd)
    );
    always_ff @(posedge clk_i) begin
      even_q <= even;
      odd_q  <= odd;
    end
    eccel_serial_add #(.Width(32)) u_sum (.clk_i, .a_i(even_q), .b_i(odd_q), .sum_o(p_o));
  end else begin : gen_64
    logic [63:0] even[4], odd[4];
    logic [63:0] pair[4], pair_q[4], half[2], sum;
    for (genvar i = 0; i < 4; i++) begin : gen_vector
      assign even[i] = {now[i][(6-i)%4], now[i][(4-i)%4]};
      assign odd[i]  = {now[i][3-i][15:0], now[i][(5-i)%4], upper_q[i]};
    end
    for (genvar i = 0; i < 2; i++) begin : gen_sum
      eccel_serial_add #(.Width(64)) u_even (.clk_i, .a_i(even[2*i]), .b_i(even[2*i+1]), .sum_o(pair[2*i]));
      eccel_serial_add #(.Width(64)) u_odd (.clk_i, .a_i(odd[2*i]), .b_i(odd[2*i+1]), .sum_o(pair[2*i+1]));
      eccel_serial_add #(.Width(64)) u_half (.clk_i, .a_i(pair_q[2*i]), .b_i(pair_q[2*i+1]), .sum_o(half[i]));
    end
    eccel_serial_add #(.Width(64)) u_sum (.clk_i, .a_i(half[0]), .b_i(half[1]), .sum_o(sum));
    always_ff @(posedge clk_i) begin
      pair_q <= pair;
      p_o    <= sum;
    end
  end

endmodule
