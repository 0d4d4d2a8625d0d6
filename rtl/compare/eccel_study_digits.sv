// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Digits of the scalar, the highest one first.
//
// Parameters Bits of the scalar, at least 3. Signed: digits are -1, 0 and 1, and as few of them as
//            in the non-adjacent form are not 0; else they are the bits.
// Guarantees After load_i the highest digit is the current one; each next_i makes the next lower
//            one current. nonzero_o: the current digit is not 0. none_o: no digit is below it.
//            one_o: without Signed the digit is 1; with it a digit that is not 0 is -1.
// After      M. Joye, S.-M. Yen, Optimal left-to-right binary signed-digit recoding, IEEE Trans.
//            Computers 49, 2000: the prefix of the digits is that of the bits, or 1 more (more_q).
//            The non-adjacent form has to be made from the lowest digit, and then be stored.

module eccel_study_digits #(
    parameter int Bits   = 163,
    parameter bit Signed = 1'b0
) (
    input logic clk_i,

    input  logic            load_i,
    input  logic [Bits-1:0] k_i,
    input  logic            next_i,
    output logic            nonzero_o,
    output logic            one_o,
    output logic            none_o
);

  localparam int Digits = Signed ? Bits + 1 : Bits;
  localparam int CountBits = $clog2(Digits);

  logic [Digits-1:0] k_q;
  logic [CountBits-1:0] left_q;

  assign none_o = left_q == '0;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      k_q <= Digits'(k_i);
      left_q <= CountBits'(Digits - 1);
    end else if (next_i) begin
      k_q <= k_q << 1;
      left_q <= left_q - 1'b1;
    end
  end

  if (Signed) begin : gen_signed
    logic more_q, below;

    assign below = more_q ? k_q[Digits-2] || k_q[Digits-3] : k_q[Digits-2] && k_q[Digits-3];
    assign nonzero_o = k_q[Digits-1] ^ below;
    assign one_o = more_q;

    always_ff @(posedge clk_i) begin
      if (load_i) more_q <= 1'b0;
      else if (next_i) more_q <= below;
    end
  end else begin : gen_bits
    assign nonzero_o = k_q[Digits-1];
    assign one_o = k_q[Digits-1];
  end

endmodule
