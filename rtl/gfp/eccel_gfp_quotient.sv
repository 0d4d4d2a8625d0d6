// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
//
// The two digits by which the next row of a Montgomery product multiplies: b_i, and the quotient
// digit q = (t_0 + a_0 b_i) m' mod 2^DigitBits, m' = -m^-1, which makes the lowest digit of t + a
// b_i + q m zero. One multiplier forms both products while the row before still runs.
//
// Parameters DigitBits in {16, 32, 64}.
// Requires   digit_i is b_i two cycles after prefetch_i and a_0 three cycles after it. t_i is t_0,
//            the lowest digit of the row before, six cycles after prefetch_i. first_row_i, with
//            prefetch_i: the row is the first one, for which t is 0. half_i, two cycles after
//            prefetch_i of a first row: the operation is half. prefetch_i comes at most every 9
//            cycles (8 for 64-bit digits). minv_i is m' with minv_set_i, between operations.
// Guarantees From three cycles after prefetch_i b_o is b_i, or 2^(DigitBits - 1) for half. One
//            cycle after single_i b_o is 1. q_o is stable until the next second product.
// Latency    b_o 3 cycles after prefetch_i; q_o 9 cycles after it. For 64-bit digits q_o comes 8
//            cycles after prefetch_i, through two adders.

module eccel_gfp_quotient #(
    parameter int DigitBits = 32
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                 prefetch_i,   // b_i of the next row is being addressed
    input logic                 first_row_i,
    input logic                 half_i,       // half is one row of a product by 2^(DigitBits - 1)
    input logic [DigitBits-1:0] digit_i,
    input logic                 single_i,     // another operation: its row multiplies x by 1
    input logic [DigitBits-1:0] t_i,

    input logic                 minv_set_i,  // m' is on minv_i
    input logic [DigitBits-1:0] minv_i,

    output logic [DigitBits-1:0] b_o,
    output logic [DigitBits-1:0] q_o
);

  // Cycles from the prefetch to the second product. Rows of 16-bit and 32-bit digits are long
  // enough for one more register, before that product (16 bits) or after it (32 bits).
  localparam int Delay = DigitBits == 16 ? 7 : 6;

  typedef logic [DigitBits-1:0] word_t;
  localparam word_t Half = {1'b1, {(DigitBits - 1) {1'b0}}};

  logic [Delay:1] pf_q;  // prefetch_i, as many cycles ago
  logic first_q, use_t_q, by_half;
  word_t b_q, minv_q, alpha_q, product, sum, arg;
  word_t first_b;  // b_i for the first product, 0 for the second one
  logic add_t;

  assign by_half = pf_q[2] && first_q && half_i;

  always_ff @(posedge clk_i) begin
    pf_q <= {pf_q[Delay-1:1], prefetch_i};
    if (prefetch_i) first_q <= first_row_i;
    use_t_q <= !first_q;
    if (single_i || by_half) b_q <= {by_half, {(DigitBits - 2) {1'b0}}, single_i};
    else if (pf_q[2]) b_q <= digit_i;
    if (minv_set_i) minv_q <= minv_i;
    if (!rst_ni) pf_q <= '0;
  end

  // The first product is alpha = a_0 * b_i, the second one (t_0 + alpha) * m'; t = 0 before the
  // first row.
  eccel_add_mux #(
      .Width(DigitBits)
  ) u_add_alpha (
      .a_i  (alpha_q),
      .b_i  (t_i),
      .c_i  (first_b),
      .sel_i(add_t),
      .sum_o(sum)
  );

  // With 16 bits there is a register between the sum and the multiplier, followed by the
  // multiplexer for the multiplier's operand. Otherwise b_i passes the adder in place of t_0, while
  // alpha is 0, so that no multiplexer follows an adder.
  if (DigitBits == 16) begin : gen_argument_reg
    word_t sum_q;
    always_ff @(posedge clk_i) begin
      alpha_q <= product;
      sum_q   <= sum;
    end
    assign first_b = '0;
    assign add_t   = use_t_q;
    assign arg     = pf_q[3] ? b_q : sum_q;
  end else begin : gen_argument
    word_t first_b_q;
    logic add_t_q;
    always_ff @(posedge clk_i) begin
      add_t_q   <= !pf_q[2] && use_t_q;
      alpha_q   <= pf_q[2] ? '0 : product;
      first_b_q <= pf_q[2] ? digit_i : '0;
      if (by_half) first_b_q <= Half;
    end
    assign first_b = first_b_q;
    assign add_t   = add_t_q;
    assign arg     = sum;
  end

  // Rows of 32-bit digits leave time for the register.
  assign q_o = DigitBits == 32 ? alpha_q : product;

  eccel_digit_mul_low #(
      .DigitBits(DigitBits)
  ) u_mul (
      .clk_i,
      .en_i (pf_q[3] || pf_q[Delay]),
      .a_i  (arg),
      .b_i  (pf_q[3] ? digit_i : minv_q),
      .p_o  (product)
  );

  assign b_o = b_q;

endmodule
