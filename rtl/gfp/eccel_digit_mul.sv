// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit-serial multiplier: the product of a number, given digit by digit, and one digit. It is made
// of 16 x 16-bit multiplier blocks.
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   The digits of a come lowest first, one a cycle, followed by a digit 0 (a_clr_i).
//            b_en_i comes with the lowest one.
// Guarantees p_o: the digits of p = a * b, one digit more than a has. The multiplier blocks hold
//            the operands in their own registers: a is loaded every cycle, b only with b_en_i.
// Latency    3 cycles from a digit of a to the digit of p, 4 for 64-bit digits; one digit a cycle.
//            p_o is a register for 16 and 64 bits, and the output of an adder for 32 bits.
//
// The product of two digits is never added up as a whole. Bit k of a partial product goes to bit k
// mod DigitBits of this digit or of the next one. For each column parity the partial products so
// form DigitBits / 16 vectors without gaps, which digit-serial adders sum.

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

  // A partial product of weight 2^(16 Tiles) or more belongs to the next digit; of the others at
  // most the upper half does.
  logic [31:0] now[Tiles][Tiles];
  logic [15:0] upper_q[Tiles];  // upper halves of the products with i + j = Tiles - 1

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
