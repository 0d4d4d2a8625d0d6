// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The last step of every operation modulo p: a sum or a difference, and its reduction.
//
// Parameters Bits: of the modulus.
// Requires   p = modulus_i < 2^Bits; at most one of add_i and sub_i. Let t be x + y + c with add_i,
//            x - y - 1 + c with sub_i, else x + c. With signed_i -p <= t < p, else 0 <= t < 2p.
// Guarantees r_o = t mod p, 0 <= r_o < p. Bit Bits of y_i and r_o is 0. Synthesis does not see
//            this, keeps both operands as wide, and puts the gates of y into the LUTs of the sum.
//            negative_o: with signed_i, whether t < 0.
// Latency    0

module eccel_field_adder #(
    parameter int Bits = 256
) (
    input  logic [Bits+1:0] x_i,
    input  logic [  Bits:0] y_i,
    input  logic            add_i,
    input  logic            sub_i,
    input  logic            carry_i,
    input  logic            signed_i,
    input  logic [Bits-1:0] modulus_i,
    output logic [  Bits:0] r_o,
    output logic            negative_o
);

  logic [Bits+2:0] sum, other;

  eccel_add #(
      .Width(Bits + 2)
  ) u_sum (
      .a_i  (x_i),
      .b_i  ({y_i[Bits], y_i}),
      .add_i,
      .sub_i,
      .c_i  (carry_i),
      .sum_o(sum)
  );
  eccel_add #(
      .Width(Bits + 2)
  ) u_other (
      .a_i  (sum[Bits+1:0]),
      .b_i  ({2'b0, modulus_i}),
      .add_i(signed_i),
      .sub_i(!signed_i),
      .c_i  (!signed_i),
      .sum_o(other)
  );

  assign negative_o = sum[Bits+1];
  // Which of the two is in the range says a sign: that of the sum, or that of the sum minus p.
  assign r_o = (signed_i ? negative_o : !other[Bits+1]) ? other[Bits:0] : sum[Bits:0];

endmodule
