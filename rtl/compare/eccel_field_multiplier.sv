// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Montgomery product, Digit bits of an operand in each cycle: s = a b / 2^Bits mod p.
//
// Parameters Bits: of the modulus, a multiple of Digit. Digit: 1 is the bit-serial multiplier.
// Requires   p odd, p < 2^Bits; 0 <= a, b < p with start_i, which comes only if busy_o is 0.
// Guarantees s_o = a b / 2^Bits mod p, -p < s_o < p (two's complement), from the first cycle in
//            which busy_o is 0 again until the next start_i.
// Latency    Bits / Digit + 1 cycles from start_i to busy_o = 0.
// After      Montgomery 1985. A bit is one step: s = (s + a_i b - m p) / 2, with m so that the sum
//            is even. From -p < s < p follows -p < s + a_i b - m p < 2p: a sum with m = 0 is below
//            2p, and one with m = 1 is above -2p and below p.

module eccel_field_multiplier #(
    parameter int Bits  = 256,
    parameter int Digit = 1
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            start_i,
    input  logic [Bits-1:0] a_i,
    input  logic [  Bits:0] b_i,  // bit Bits is 0: see eccel_field_adder
    input  logic [Bits-1:0] modulus_i,
    output logic            busy_o,
    output logic [  Bits:0] s_o
);

  localparam int Steps = Bits / Digit;
  if (Bits % Digit != 0) begin : g_check
    $fatal(1, "Bits is a multiple of Digit");
  end

  logic [Bits-1:0] a_q;
  logic [Bits:0] b_q;
  logic [$clog2(Steps)-1:0] left_q;
  logic [Bits:0] partial[Digit+1];

  assign partial[0] = s_o;
  // The carry into the sum with b is 0 whenever the sum counts. A constant would let synthesis
  // exchange the operands, and move the gates of b out of the LUTs of the carry chain.
  for (genvar i = 0; i < Digit; i++) begin : g_bit
    logic [Bits+2:0] with_b, even;
    eccel_add #(
        .Width(Bits + 2)
    ) u_add_b (
        .a_i  ({partial[i][Bits], partial[i]}),
        .b_i  ({b_q[Bits], b_q}),
        .add_i(a_q[i]),
        .sub_i(1'b0),
        .c_i  (start_i),
        .sum_o(with_b)
    );
    eccel_add #(
        .Width(Bits + 2)
    ) u_add_p (
        .a_i  (with_b[Bits+1:0]),
        .b_i  ({2'b0, modulus_i}),
        .add_i(1'b0),
        .sub_i(with_b[0]),
        .c_i  (with_b[0]),
        .sum_o(even)
    );
    assign partial[i+1] = even[Bits+1:1];
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      a_q <= a_i;
      b_q <= b_i;
      left_q <= $bits(left_q)'(Steps - 1);
    end else begin
      a_q <= a_q >> Digit;
      left_q <= left_q - 1'b1;
    end
    if (start_i) s_o <= '0;
    else if (busy_o) s_o <= partial[Digit];

    busy_o <= start_i || busy_o && left_q != '0;
    if (rst_i) busy_o <= 1'b0;
  end

endmodule
