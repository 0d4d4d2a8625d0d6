// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digit-serial multiplier for 64-bit digits, as eccel_digit_mul, but the upper half of the second
// operand may come one cycle late.
//
// Requires   The digits of a come lowest first, one a cycle, followed by a digit 0 (a_clr_i).
//            b_en_i comes with the lowest one; b_i is the lower half of b. The inputs late_* are
//            the same for the upper half of b, all one cycle later.
// Guarantees low_o + high_o are the digits of p = a * b, one digit more than a has, as two numbers
//            whose sum is p: each has a carry of its own from digit to digit.
// Latency    4 cycles from a digit of a to the digits of low_o and high_o, which are registers.
//
// Partial products are placed as in eccel_digit_mul. Those of the lower half of b pass a register
// between their two adders, those of the upper half do not.

module eccel_digit_mul_skew (
    input  logic        clk_i,
    input  logic        a_clr_i,
    input  logic [63:0] a_i,
    input  logic        b_en_i,
    input  logic [31:0] b_i,
    input  logic        late_a_clr_i,
    input  logic [63:0] late_a_i,
    input  logic        late_b_en_i,
    input  logic [31:0] late_b_i,
    output logic [63:0] low_o,
    output logic [63:0] high_o
);

  logic [31:0] pp[4][4];  // pp[i][j] = a tile i * b tile j, weight 2^(16 (i + j))
  logic [31:0] now[4][4];  // those of weight 2^64 and more belong to the next digit
  logic [15:0] upper_q[4];  // upper halves of the products with i + j = 3: also of the next digit

  for (genvar i = 0; i < 4; i++) begin : gen_a
    for (genvar j = 0; j < 4; j++) begin : gen_b
      eccel_mul18 #(
          .WidthA(16),
          .WidthB(16)
      ) u_mul (
          .clk_i,
          .a_en_i (1'b1),
          .a_clr_i(j < 2 ? a_clr_i : late_a_clr_i),
          .a_i    (j < 2 ? a_i[16*i+:16] : late_a_i[16*i+:16]),
          .b_en_i (j < 2 ? b_en_i : late_b_en_i),
          .b_i    (j < 2 ? b_i[16*(j%2)+:16] : late_b_i[16*(j%2)+:16]),
          .p_o    (pp[i][j])
      );
      if (i + j < 4) begin : gen_now
        assign now[i][j] = pp[i][j];
      end else begin : gen_next
        always_ff @(posedge clk_i) now[i][j] <= pp[i][j];
      end
    end
    always_ff @(posedge clk_i) upper_q[i] <= pp[i][3-i][31:16];
  end

  // Each half of b gives two vectors of even columns and two of odd columns.
  logic [63:0] low_even, low_odd, low_even_q, low_odd_q, low, high_even, high_odd, high;

  eccel_serial_add #(.Width(64)) u_low_even (
      .clk_i, .a_i({now[2][0], now[0][0]}), .b_i({now[1][1], now[3][1]}), .sum_o(low_even)
  );
  eccel_serial_add #(.Width(64)) u_low_odd (
      .clk_i,
      .a_i({now[3][0][15:0], now[1][0], upper_q[3]}), .b_i({now[2][1][15:0], now[0][1], upper_q[2]}), .sum_o(low_odd)
  );
  eccel_serial_add #(.Width(64)) u_low (.clk_i, .a_i(low_even_q), .b_i(low_odd_q), .sum_o(low));

  eccel_serial_add #(.Width(64)) u_high_even (
      .clk_i, .a_i({now[0][2], now[2][2]}), .b_i({now[3][3], now[1][3]}), .sum_o(high_even)
  );
  eccel_serial_add #(.Width(64)) u_high_odd (
      .clk_i,
      .a_i({now[0][3][15:0], now[2][3], upper_q[0]}), .b_i({now[1][2][15:0], now[3][2], upper_q[1]}), .sum_o(high_odd)
  );
  eccel_serial_add #(.Width(64)) u_high (.clk_i, .a_i(high_even), .b_i(high_odd), .sum_o(high));

  always_ff @(posedge clk_i) begin
    low_even_q <= low_even;
    low_odd_q  <= low_odd;
    low_o      <= low;
    high_o     <= high;
  end

endmodule
