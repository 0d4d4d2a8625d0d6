// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// Quotient modulo p by the binary extended Euclidean algorithm, one bit in each cycle.
//
// Parameters Bits: of the modulus.
// Requires   p an odd prime, p < 2^Bits, stable; n, d < p with start_i, which comes only if busy_o
//            is 0.
// Guarantees When busy_o is 0 again and until the next start_i: q = quotient_o, or -q if negate_o,
//            is n / d mod p, and -p < q < p. If d = 0, it is 0.
//            Its time depends on d: it is for values that are not secret.
// Latency    at most 2 Bits + 1 cycles from start_i to busy_o = 0; 1.4 Bits on average.
// After      Stein 1967, with signs in place of comparisons. Two invariants:
//            d r = n u and d s = n v, modulo p. A cycle replaces an even u by u / 2, and an odd u
//            by (u - v) / 2 or (u + v) / 2, the one that is smaller in magnitude. v becomes u if
//            that is smaller than v. In the end u = 0, and v = 1 or -1.
//            r and s stay between -p and p: before r is halved, an odd value gets p added, or
//            subtracted if it can be above p.

module eccel_field_divider #(
    parameter int Bits = 256
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 start_i,
    input  logic        [Bits-1:0] numerator_i,
    input  logic        [Bits-1:0] denominator_i,
    input  logic        [Bits-1:0] modulus_i,
    output logic                 busy_o,
    output logic        [Bits:0] quotient_o,
    output logic                 negate_o
);

  typedef logic [Bits:0] value_t;  // two's complement, as the sums

  value_t u_q, v_q, r_q, s_q;
  logic [Bits+1:0] r_sum;
  logic [Bits+2:0] u_carry, r_carry, r_even;
  logic odd, sub, smaller, take_p;

  assign odd = u_q[0];
  assign sub = u_q[Bits] == v_q[Bits];
  eccel_add #(
      .Width(Bits + 2)
  ) u_difference (
      .a_i  ({u_q[Bits], u_q}),
      .b_i  ({v_q[Bits], v_q}),
      .add_i(odd && !sub),
      .sub_i(odd && sub),
      .c_i  (odd && sub),
      .sum_o(u_carry)
  );
  // |u| < |v|, because the sign of u has changed.
  assign smaller = odd && u_carry[Bits+1] != u_q[Bits];

  // Neither of two terms is negative: their sum can be above p.
  assign take_p = !r_q[Bits] && !(odd && (s_q[Bits] ^ sub));
  assign r_sum = r_carry[Bits+1:0];
  eccel_add #(
      .Width(Bits + 2)
  ) u_factor (
      .a_i  ({r_q[Bits], r_q}),
      .b_i  ({s_q[Bits], s_q}),
      .add_i(odd && !sub),
      .sub_i(odd && sub),
      .c_i  (odd && sub),
      .sum_o(r_carry)
  );
  eccel_add #(
      .Width(Bits + 2)
  ) u_even (
      .a_i  (r_sum),
      .b_i  ({2'b0, modulus_i}),
      .add_i(r_sum[0] && !take_p),
      .sub_i(r_sum[0] && take_p),
      .c_i  (r_sum[0] && take_p),
      .sum_o(r_even)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      u_q <= {1'b0, denominator_i};
      v_q <= {1'b0, modulus_i};
      r_q <= {1'b0, numerator_i};
      s_q <= '0;
    end else if (busy_o) begin
      u_q <= u_carry[Bits+1:1];
      r_q <= r_even[Bits+1:1];
      if (smaller) begin
        v_q <= u_q;
        s_q <= r_q;
      end
    end
    busy_o <= start_i || busy_o && u_q != '0;
    if (rst_i) busy_o <= 1'b0;
  end

  assign quotient_o = s_q;
  assign negate_o   = v_q[Bits];

endmodule
