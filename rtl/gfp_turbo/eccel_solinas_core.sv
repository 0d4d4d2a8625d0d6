// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Arithmetic of the turbo engine modulo one sparse prime p: a product and, at the same time, a sum
//            or difference, both at full rate; and the same with integers.
//
// Parameters Prime: number of a prime in eccel_solinas_pkg (P-192, P-224, P-256, P-384, P-521,
//            secp256k1). Karatsuba: the array is eccel_karatsuba_array (P-192, P-256, secp256k1).
// Requires   Operands are below 2^n, n the number of bits of p. A word has w bits, two digits.
//   product  mul_start_i comes at most once per interval. b_digit_i is digit 0 of b with it, and
//            the next ones in the cycles after it (0 above the operand). a_i is all of a one cycle
//            after it. half_i comes with it. With Karatsuba b_digit_i and a_i are as b_i and a_i
//            of eccel_karatsuba_array.
//   sum      sum_first_i comes at most once per interval; sum_pass_i is its complement. x_i and y_i
//            come one word in a cycle from it on, with add_i or sub_i. canon_i comes with
//            sum_first_i; then y = 2^n - p with add_i. Or whole_i comes with it; then the words may
//            have any value.
// Guarantees mul_word_o comes one word in a cycle from mul_first_o on: a * b mod p. sum_word_o
//            likewise: x + y or x - y mod p. All results are below 2^n and can be operands; with
//            canon_i the result is x mod p in [0, p). Timing does not depend on data. half_i =
//            LowHalf, HighHalf: a * b mod 2^n, floor(a * b / 2^n). BothHalves: the first, and
//            `words` cycles later with another mul_first_o the second. whole_i: x + y, x - y or,
//            without add_i and sub_i, x modulo 2^(w * words); carry_o comes `words` cycles after
//            sum_first_i.
// Latency    A product takes Field.multiply_latency = 3 * words + 12 + last_position cycles from
//            start to word 0 of the result (P-256: 44, and 51 to the last word), with Karatsuba
//            words / 2 + 3 more; a sum takes Field.add_latency = words + 4.
// Interval   product 2 * words cycles (P-256: 16), sum `words` cycles
//
// Results may be p or more, as long as they are below 2^n; so no pass is needed to compare them
// with p. 2^n - p is much smaller than p, so that a residue has two representatives only if it is
// below 2^n - p. 0 has two: use canon_i before values are compared or leave the unit.

module eccel_solinas_core
  import eccel_solinas_pkg::*;
#(
    parameter int Prime = P256,
    parameter bit Karatsuba = 1'b0,
    localparam field_t Field = field(Prime),
    localparam int DigitBits = Field.digit_bits,
    localparam int FactorBits = Karatsuba ? 2 * DigitBits : DigitBits,
    localparam int WordBits = 2 * DigitBits,
    localparam int LowLatency = Karatsuba ? 12 : 8
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                             mul_start_i,
    input  half_e                            half_i,
    input  logic [Field.lanes*DigitBits-1:0] a_i,
    input  logic [           FactorBits-1:0] b_digit_i,
    output logic                             mul_first_o,
    output logic [             WordBits-1:0] mul_word_o,

    input  logic                sum_first_i,
    input  logic                sum_pass_i,
    input  logic                add_i,
    input  logic                sub_i,
    input  logic                whole_i,
    input  logic                canon_i,
    input  logic [WordBits-1:0] x_i,
    input  logic [WordBits-1:0] y_i,
    output logic                carry_o,
    output logic                sum_first_o,
    output logic [WordBits-1:0] sum_word_o
);

  if (Field.multiply_latency != 3 * Field.words + 12 + Field.last_position || Field.add_latency != Field.words + 4)
  begin : gen_latency
    $error("eccel_solinas_core: the model counts other clocks");
  end

  logic low_first, low_valid, soon, row_first, row_raw, over_c;
  logic [WordBits-1:0] low, high, row_word;
  logic signed [Field.quotient_bits-1:0] over;

  // The half that is wanted, from the first low word of its product on.
  half_e half_q[LowLatency];

  always_ff @(posedge clk_i) begin
    if (mul_start_i) half_q[0] <= half_i;
    half_q[1:LowLatency-1] <= half_q[0:LowLatency-2];
  end

  if (Karatsuba) begin : gen_array
    if (Field.lanes != 2 * Field.words) begin : gen_lanes
      $error("eccel_solinas_core: halves of the operands differ");
    end
    eccel_karatsuba_array #(
        .DigitBits(DigitBits),
        .Words    (Field.words)
    ) u_array (
        .clk_i,
        .rst_ni,
        .start_i    (mul_start_i),
        .a_i,
        .b_i        (b_digit_i),
        .low_first_o(low_first),
        .low_valid_o(low_valid),
        .low_o      (low),
        .soon_o     (soon),
        .high_o     (high)
    );
  end else begin : gen_array
    eccel_comba_array #(
        .DigitBits(DigitBits),
        .Lanes    (Field.lanes),
        .Words    (Field.words)
    ) u_array (
        .clk_i,
        .rst_ni,
        .start_i    (mul_start_i),
        .a_i,
        .b_i        (b_digit_i),
        .low_first_o(low_first),
        .low_valid_o(low_valid),
        .low_o      (low),
        .soon_o     (soon),
        .high_o     (high)
    );
  end

  eccel_solinas_taps #(
      .Prime(Prime)
  ) u_taps (
      .clk_i,
      .rst_ni,
      .half_i     (half_q[LowLatency-1]),
      .low_first_i(low_first),
      .low_valid_i(low_valid),
      .low_i      (low),
      .soon_i     (soon),
      .high_i     (high),
      .first_o    (row_first),
      .raw_o      (row_raw),
      .word_o     (row_word),
      .over_o     (over),
      .over_c_o   (over_c)
  );

  eccel_solinas_fold #(
      .Prime(Prime)
  ) u_fold (
      .clk_i,
      .rst_ni,
      .first_i (row_first),
      .canon_i (1'b0),
      .raw_i   (row_raw),
      .whole_i (1'b0),
      .word_i  (row_word),
      .over_i  (over),
      .over_c_i(over_c),
      .first_o (mul_first_o),
      .word_o  (mul_word_o)
  );

  eccel_solinas_add #(
      .Prime(Prime)
  ) u_sum (
      .clk_i,
      .rst_ni,
      .first_i(sum_first_i),
      .pass_i (sum_pass_i),
      .add_i,
      .sub_i,
      .whole_i,
      .canon_i,
      .a_i    (x_i),
      .b_i    (y_i),
      .carry_o,
      .first_o(sum_first_o),
      .word_o (sum_word_o)
  );

endmodule
