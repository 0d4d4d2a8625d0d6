// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The sum of a bit-serial Montgomery product, in segments with carry chains of their own.
//
// Parameters Bits of the modulus. Segment: bits in a carry chain, from 3 to Bits + 2, so that there
//            are two segments or more. Unroll: bits of the first factor in a cycle.
// Requires   modulus_i is odd; b_i < 2 * modulus_i and modulus_i are stable from the first cycle
//            with run_i to the last one. The sum is 0 before the first one: after clear_i, or after
//            `segments` cycles with stream_i. bits_i are bits of a < 2 * modulus_i, the lowest
//            first. head_i comes with the first run_i.
// Guarantees After `iterations` cycles with run_i, each cycle with stream_i shows a word of the
//            product in word_o, the lowest first. It is a * b / R modulo modulus_i and below
//            2 * modulus_i, with R = 2^(Unroll * iterations - 1). With a = 1, ones_o tells whether
//            the product is modulus_i, which stands for 0; all other products are then less.
//            No timing depends on data.
// After      Montgomery 1985; Walter 1999 (no last subtraction); Orup 1995 (2 b in place of b, so
//            that the quotient bit is a bit of the sum).
//
// In each step s' = (s + q n) / 2 + a b with q = s mod 2. After the last bit of a there are two
// steps without: s < n + 2 b < 5 n becomes less than 3 n, and then less than 2 n. With a = 1 the
// product is (b + m n) / R, where m < R has the bits q. It is n only if b = n and every q is 1.

module eccel_montgomery_array
  import eccel_montgomery_pkg::*;
#(
    parameter int Bits    = 1024,
    parameter int Segment = 65,
    parameter int Unroll  = 1
) (
    input  logic               clk_i,
    input  logic               clear_i,
    input  logic               run_i,
    input  logic               head_i,
    input  logic               stream_i,
    input  logic [ Unroll-1:0] bits_i,
    input  logic [     Bits:0] b_i,
    input  logic [   Bits-1:0] modulus_i,
    output logic [Segment-1:0] word_o,
    output logic               ones_o
);

  localparam int Segments = segments(Bits, Segment);
  localparam int Width = Segments * Segment;

  if (Segment < 3 || Segment > Bits + 2) begin : gen_check_segment
    $error("eccel_montgomery_array: Segment must be 3 to Bits + 2");
  end

  typedef logic [Segment+1:0] sum_t;

  logic [Width-1:0] b, n;
  sum_t s_q[Segments], s_d[Segments];
  logic [2:0] carry_q, carry;
  logic [Unroll:0] ones;
  logic ones_q;

  assign b = Width'(b_i);
  assign n = Width'(modulus_i);
  assign ones[0] = ones_q;
  assign ones_o = ones_q;

  for (genvar i = 0; i < Unroll; i++) begin : gen_step
    sum_t now[Segments], next[Segments];
    logic [Segments:0] low;  // bits that leave segments
    logic q, unused_low;

    assign q = now[0][0];
    assign unused_low = low[0];  // always 0
    assign low[Segments] = 1'b0;
    if (i == 0) begin : gen_first
      assign now = s_q;
      assign ones[1] = head_i || (ones[0] && q);  // the first quotient bit is always 0
    end else begin : gen_other
      assign now = gen_step[i-1].next;
      assign ones[i+1] = ones[i] && q;
    end
    for (genvar k = 0; k < Segments; k++) begin : gen_segment
      eccel_montgomery_step #(
          .Segment(Segment)
      ) u_step (
          .s_i    (now[k]),
          .q_i    (q),
          .n_i    (n[Segment*k+:Segment]),
          .above_i(low[k+1]),
          .a_i    (bits_i[i]),
          .b_i    (b[Segment*k+:Segment]),
          .low_o  (low[k]),
          .s_o    (next[k])
      );
    end
  end

  assign s_d = gen_step[Unroll-1].next;
  assign {carry, word_o} = (Segment + 3)'(s_q[0]) + (Segment + 3)'(carry_q);

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Segments; k++) begin
      if (clear_i) s_q[k] <= '0;
      else if (stream_i) s_q[k] <= k == Segments - 1 ? '0 : s_q[(k+1)%Segments];
      else if (run_i) s_q[k] <= s_d[k];
    end
    carry_q <= stream_i ? carry : '0;
    if (run_i) ones_q <= ones[Unroll];
  end

endmodule
